import type { IncomingMessage } from 'node:http';
import { actionCalls, type ActionCall } from './action-url.ts';
import { makers, type ProvisionedFile, type Starting } from './maker.ts';

export type { ProvisionedFile };

/** A request of a starting phone, with the platform's answer. */
export interface Asked {
  file: string;
  status: number;
}

/** A call of an action URL, with the platform's answer. */
export type Called = Omit<ActionCall, 'url' | 'body'> & { status: number };

/** What a phone did when it started. */
export interface Start {
  asked: readonly Asked[];
  called: readonly Called[];
}

const mostBytes = 1_048_576;
const patienceMs = 30_000;

export type Provisioned = Starting & { kept: ProvisionedFile | undefined; failing: readonly number[] };

/** Loads the files of a phone as it is sold: in its maker's order, under its maker's User-Agent. */
export async function fetchOverHttp(
  folder: string,
  phone: Provisioned,
): Promise<{ asked: Asked[]; file: ProvisionedFile | undefined; image: string | undefined }> {
  const maker = makers[phone.model.vendor];
  const agent = maker.agent(phone, phone.kept);
  const steps = [...maker.steps(phone, phone.kept)];
  let file = phone.kept;
  let image: string | undefined;
  const asked: Asked[] = [];
  for (let step = steps.shift(); step; step = steps.shift()) {
    const { unless } = step;
    if (asked.some((one) => one.status === 200 && unless?.includes(one.file))) continue;
    const { status, text } = await get(new URL(step.file, folder), agent, phone);
    asked.push({ file: step.file, status });
    if (status !== 200) continue;
    steps.unshift(...(maker.listed?.(text, phone.mac) ?? []).map((listed) => ({ file: listed })));
    image ??= maker.image?.(text);
    file = maker.apply(text, file, phone.mac) ?? file;
  }
  return { asked, file, image };
}

/**
 * Starts a phone: it loads its files and calls the action URLs of what it then has. Its lines in `failing` do not
 * register.
 */
export async function bootOverHttp(
  folder: string,
  phone: Provisioned,
): Promise<Start & { file: ProvisionedFile | undefined; image: string | undefined }> {
  const { asked, file, image } = await fetchOverHttp(folder, phone);
  const called = file ? await callOverHttp(actionCalls(phone, file, phone.failing), phone, file) : [];
  return { asked, called, file, image };
}

/** Calls action URLs, one after the other. */
export async function callOverHttp(
  calls: readonly ActionCall[],
  phone: Starting,
  file: ProvisionedFile,
): Promise<Called[]> {
  const agent = makers[phone.model.vendor].agent(phone, file);
  const called: Called[] = [];
  for (const { url, body, ...call } of calls) {
    const { status } = await get(new URL(url), agent, phone, body);
    called.push({ ...call, status });
  }
  return called;
}

/** Most addresses that a phone goes on to, one after the other. */
const mostMoves = 4;

/**
 * Starts a phone that knows a server's address: it asks there, goes on to the address in its file, and starts again
 * there, until its address stays. Returns how it started at each.
 */
export async function settleOverHttp(
  folder: string,
  phone: Provisioned,
): Promise<{ starts: Start[]; file: ProvisionedFile | undefined; folder: string; image: string | undefined }> {
  const maker = makers[phone.model.vendor];
  const starts: Start[] = [];
  let { kept: file } = phone;
  let image: string | undefined;
  let at = folder;
  for (let next: string | undefined = folder; next !== undefined && starts.length < mostMoves;) {
    at = next;
    const { asked, called, ...now } = await bootOverHttp(at, { ...phone, kept: file });
    starts.push({ asked, called });
    ({ file, image } = now);
    next = maker.server(file?.values ?? {});
    if (next === at) break;
  }
  return { starts, file, folder: at, image };
}

/** Sends a request like a phone, and returns the answer, whose body is to be read. With a body it posts XML. */
export async function open(
  url: URL,
  userAgent: string,
  { from, ca, signal }: Pick<Starting, 'from' | 'ca' | 'signal'>,
  body?: string,
): Promise<IncomingMessage> {
  // Not imported: the namespace of the ES module loads every lazy part of node:http.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const headers = { 'user-agent': userAgent, ...(body === undefined ? {} : { 'content-type': 'text/xml' }) };
  const method = body === undefined ? 'GET' : 'POST';
  // The certificate of the server itself may be trusted, without the authority that signed it.
  const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...trust, method, headers, timeout: patienceMs, localAddress: from, signal }, resolve)
      .on('timeout', function (this: { destroy(e: Error): void }) {
        this.destroy(new Error('no answer'));
      })
      .on('error', reject)
      .end(body);
  });
}

/** Loads a small file like a phone, or posts XML. */
export async function get(
  url: URL,
  userAgent: string,
  phone: Pick<Starting, 'from' | 'ca' | 'signal'>,
  body?: string,
): Promise<{ status: number; text: string }> {
  const answer = await open(url, userAgent, phone, body);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw new Error('the file is too long');
    parts.push(part);
  }
  return { status: answer.statusCode!, text: Buffer.concat(parts).toString() };
}
