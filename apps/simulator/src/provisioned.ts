import type { IncomingMessage } from 'node:http';
import type { Model } from './model.ts';

/** What a phone keeps of the file that it loaded over HTTP. */
export interface ProvisionedFile {
  /** The file's own version: a phone applies a file only when it is higher. */
  version: string;
  /** Values by the path of their element. */
  values: Readonly<Record<string, string>>;
}

/** A request of a starting phone, with the platform's answer. */
export interface Asked {
  file: string;
  status: number;
}

const mostBytes = 1_048_576;
const patienceMs = 30_000;

/** The files that phones ask for when they start, in their order; for makers whose files are served so far. */
const filesOf: Partial<Record<Model['vendor'], (mac: string, model: string) => readonly string[]>> = {
  Fanvil: (mac, model) => [`${mac}.cfg`, `fanvil_${model.replaceAll(' ', '').toLowerCase()}_hwv1_0.txt`],
};

export function readFile(xml: string): ProvisionedFile | null {
  const values: Record<string, string> = {};
  const path: string[] = [];
  for (const [, close, open, content] of xml.matchAll(/<(?:(\/\w+)|(\w+))[^>]*>([^<]*)/g)) {
    if (close) path.pop();
    else {
      path.push(open!);
      if (content!.trim() !== '') values[path.slice(1).join('/')] = unescaped(content!.trim());
    }
  }
  const { Version: version, ...rest } = values;
  return xml.trimStart().startsWith('<?xml') && path.length === 0 && version ? { version, values: rest } : null;
}

const letters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => letters[name]!);

/**
 * Starts a phone as it is sold: it asks for its files in its maker's order, under its maker's User-Agent, and returns
 * what it then has.
 */
export async function bootOverHttp(
  folder: string,
  device: { mac: string; model: Model; firmware: string; kept: ProvisionedFile | undefined },
): Promise<{ asked: Asked[]; file: ProvisionedFile | undefined }> {
  const { mac, model, firmware } = device;
  const names = filesOf[model.vendor]?.(mac, model.name);
  if (!names) throw new Error(`${model.vendor} phones load nothing over HTTP here`);
  let file = device.kept;
  const asked: Asked[] = [];
  for (const name of names) {
    const { status, text } = await get(new URL(name, folder), `${model.vendor} ${model.name} ${firmware} ${mac}`);
    asked.push({ file: name, status });
    const read = status === 200 ? readFile(text) : null;
    if (read && (!file || Number(read.version) > Number(file.version))) file = read;
  }
  return { asked, file };
}

async function get(url: URL, userAgent: string): Promise<{ status: number; text: string }> {
  // Not imported: the namespace of the ES module loads every lazy part of node:http.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: { 'user-agent': userAgent }, timeout: patienceMs }, resolve)
      .on('timeout', function (this: { destroy(e: Error): void }) {
        this.destroy(new Error('no answer'));
      })
      .on('error', reject)
      .end();
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw new Error('the file is too long');
    parts.push(part);
  }
  return { status: answer.statusCode!, text: Buffer.concat(parts).toString() };
}
