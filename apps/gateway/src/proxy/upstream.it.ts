import { text } from 'node:stream/consumers';
import dns from 'node:dns/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '@carillon/devtools/free-port';
import { eventually } from '@carillon/testing';
import { Upstream } from './upstream.ts';

/** The machine's name server does not know this name; these are the mocked answers. */
const names = new Map<string, string[]>();
let unanswered = 0;
beforeAll(() => {
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string) => {
    const found = names.get(name);
    if (found) return Promise.resolve(found.map((address) => ({ address, family: 4 })));
    unanswered++;
    return Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));
  }) as unknown as typeof dns.lookup);
});
afterAll(() => {
  vi.mocked(dns.lookup).mockRestore();
});

const folder = mkdtempSync(join(tmpdir(), 'carillon-upstream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service process: a real server on its own socket that can vanish, hang or shut down. */
class Process {
  calls = 0;
  draining = false;
  silent = false;
  readonly held: ServerResponse[] = [];
  private server: Server | undefined;
  constructor(
    readonly socketPath: string,
    readonly name: string,
  ) {}

  async start(): Promise<void> {
    rmSync(this.socketPath, { force: true });
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise<void>((resolve) => {
      this.server!.listen(this.socketPath, resolve);
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (this.silent) return void this.held.push(response);
    if (request.url === '/livez') return void response.end(JSON.stringify({ live: true, draining: this.draining }));
    this.calls++;
    response.end(this.name);
  }

  /** Simulates a kill: connections are reset and the socket refuses. */
  async kill(): Promise<void> {
    this.server!.closeAllConnections();
    await new Promise((resolve) => {
      this.server!.close(resolve);
    });
  }
}

let processes: Process[];
let upstream: Upstream;
let states: string[];
let looking: NodeJS.Timeout;
let serial = 0;
const signal = new AbortController().signal;
const ask = async (method: 'GET' | 'POST' = 'GET', body: string | null = null): Promise<string> => {
  const answer = await upstream.request({ path: '/', method, signal, body });
  return Buffer.isBuffer(answer.body) ? answer.body.toString() : text(answer.body);
};

beforeEach(async () => {
  processes = ['one', 'two'].map((name) => new Process(join(folder, `${name}-${serial}.sock`), name));
  serial++;
  await Promise.all(processes.map((p) => p.start()));
  states = [];
  upstream = new Upstream(
    'device',
    processes.map(({ socketPath }) => ({ socketPath })),
    (_, state) => {
      states.push(state);
    },
  );
  looking = setInterval(() => upstream.look(), 100);
});
afterEach(async () => {
  clearInterval(looking);
  await upstream.close();
  await Promise.all(processes.map((p) => p.kill().catch(() => undefined)));
});

test('sends calls to every process in turn', async () => {
  for (let i = 0; i < 10; i++) await ask();
  expect(processes.map((p) => p.calls)).toEqual([5, 5]);
});

test('repeats a read of a dead process elsewhere, and uses it again when it is back [GW-02/replica]', async () => {
  await processes[0]!.kill();
  expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toEqual(Array(20).fill('two'));
  await processes[0]!.start();
  await eventually(async () => {
    expect(await ask()).toBe('one');
  });
  expect(states).toEqual(['down', 'up']);
});

test('does not repeat a change of a dying process, because it may have been done', async () => {
  clearInterval(looking);
  processes[0]!.silent = true;
  const answers = [ask('POST', '{}'), ask('POST', '{}')].map((p) =>
    p.then(
      (text) => text,
      () => 'failed',
    ),
  );
  await eventually(() => {
    expect(processes[0]!.held).toHaveLength(1);
  });
  await processes[0]!.kill();
  expect((await Promise.all(answers)).toSorted()).toEqual(['failed', 'two']);
  expect(processes[1]!.calls).toBe(1);
});

test('sends no new calls to a draining process while there is another one', async () => {
  processes[0]!.draining = true;
  await eventually(() => {
    expect(states).toEqual(['draining']);
  });
  processes.forEach((p) => {
    p.calls = 0;
  });
  for (let i = 0; i < 6; i++) await ask('POST', '{}');
  expect(processes.map((p) => p.calls)).toEqual([0, 6]);
});

test('leaves out a process that hangs for three seconds, and repeats its reads at the other one', async () => {
  processes[0]!.silent = true;
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers).toEqual(['two', 'two', 'two']);
  expect(states).toEqual(['down']);
});

test('uses every address of a name: new ones get calls, removed ones finish theirs', async () => {
  const published: string[] = [];
  const addresses = new Map<string, Server>();
  const port = await freePort();
  const start = async (host: string): Promise<void> => {
    const server = createServer((request, response) => {
      response.end(request.url === '/livez' ? '{"live":true}' : host);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    addresses.set(host, server);
  };
  await Promise.all(['127.0.0.1', '127.0.0.2'].map(start));
  names.set('device.test', ['127.0.0.1']);
  const by = new Upstream('device', [{ every: `http://device.test:${port}` }], (where, state) => {
    published.push(`${where} ${state}`);
  });
  const look = setInterval(() => by.look(), 50);
  const call = async (): Promise<string> => {
    const { body } = await by.request({ path: '/', method: 'POST', signal, body: '{}' });
    return Buffer.isBuffer(body) ? body.toString() : text(body);
  };
  const answering = async (): Promise<string[]> =>
    [...new Set([await call(), await call(), await call(), await call()])].toSorted();
  try {
    await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await by.reason()).toBe('has no address');
    await eventually(async () => {
      expect(await answering()).toEqual(['127.0.0.1']);
    });
    names.set('device.test', ['127.0.0.1', '127.0.0.2']);
    await eventually(async () => {
      expect(await answering()).toEqual(['127.0.0.1', '127.0.0.2']);
    });
    names.set('device.test', ['127.0.0.2']);
    await eventually(async () => {
      expect(await answering()).toEqual(['127.0.0.2']);
    });
    // A name server that does not answer changes nothing.
    names.delete('device.test');
    await eventually(() => {
      expect(unanswered).toBeGreaterThan(1);
    });
    expect(await answering()).toEqual(['127.0.0.2']);
    expect(published).toEqual([
      `http://127.0.0.1:${port} new`,
      `http://127.0.0.2:${port} new`,
      `http://127.0.0.1:${port} gone`,
    ]);
  } finally {
    clearInterval(look);
    await by.close();
    for (const server of addresses.values()) server.close();
  }
});
