import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { chmodSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { isBehaviour } from './behaviour.ts';
import type { Fleet } from './fleet.ts';
import { Refusal } from './refusal.ts';

// Not imported: the namespace of the ES module loads every lazy part of node:http, which is 15 MB of undici.
const http = process.getBuiltinModule('node:http');

const mostBodyBytes = 64 * 1024;

/**
 * Starts the control endpoint of a running fleet: `GET /stats`, `GET /effects[?mac=]`, `GET /devices`, `POST /behaviour
 * { mac, behaviour }`, `POST /state { mac, calls?, dnd?, lines?, doors? }`, `POST /boot { mac, folder, failing? }`, `POST /cut {}`.
 * It listens on 127.0.0.1, or on a Unix socket that only its owner may open.
 */
export async function startControl(fleet: Fleet, where: { port: number } | { socket: string }): Promise<Server> {
  const server = http.createServer((request, response) => {
    answer(fleet, request).then(
      (body) => send(response, 200, body),
      (error: Error) => send(response, error instanceof Refusal ? error.status : 500, { error: error.message }),
    );
  });
  if ('socket' in where) {
    rmSync(where.socket, { force: true });
    server.listen(where.socket);
  } else server.listen(where.port, '127.0.0.1');
  await once(server, 'listening');
  if ('socket' in where) chmodSync(where.socket, 0o600);
  return server;
}

async function answer(fleet: Fleet, request: IncomingMessage): Promise<unknown> {
  // A web page in the user's browser can reach this port, but it can neither use another host name nor send JSON.
  if (request.headers.host !== undefined && !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host))
    throw new Refusal(403, 'only for this machine');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  switch (`${request.method} ${pathname}`) {
    case 'GET /stats':
      return fleet.stats();
    case 'GET /effects':
      return fleet.effects(searchParams.get('mac') ?? undefined);
    case 'GET /devices':
      return fleet.devices();
    case 'POST /behaviour': {
      const { mac, behaviour } = await json(request);
      if (typeof mac !== 'string' || typeof behaviour !== 'string' || !isBehaviour(behaviour))
        throw new Refusal(400, 'mac and behaviour are needed');
      await fleet.behave(known(fleet, mac), behaviour);
      return { mac, behaviour };
    }
    case 'POST /boot': {
      const { mac, folder = '', failing = [] } = await json(request);
      if (typeof mac !== 'string' || typeof folder !== 'string' || !Array.isArray(failing))
        throw new Refusal(400, 'mac is needed; failing is a list of lines');
      return { mac, ...(await fleet.bootOverHttp(known(fleet, mac), folder, failing.map(Number))) };
    }
    case 'POST /cut': {
      await json(request);
      fleet.cut();
      return { cut: fleet.stats().devices };
    }
    case 'POST /state': {
      const { mac, ...state } = await json(request);
      if (typeof mac !== 'string') throw new Refusal(400, 'mac is needed');
      // The state is published when the platform is reachable again; this request does not wait for it.
      void fleet.change(known(fleet, mac), state).catch(() => undefined);
      return { mac, ...state };
    }
    default:
      throw new Refusal(404, 'GET /stats, /effects, /devices; POST /behaviour, /state, /boot, /cut');
  }
}

function known(fleet: Fleet, mac: string): string {
  if (!fleet.devices().some((device) => device.mac === mac)) throw new Refusal(404, `no device ${mac} in this fleet`);
  return mac;
}

async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'application/json is needed');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBodyBytes) throw new Refusal(413, 'at most 64 KiB');
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    /* thrown below */
  }
  throw new Refusal(400, 'a JSON object is needed');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body) + '\n');
}
