import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { zstdCompressSync } from 'node:zlib';
import { endorsedText, signedText } from './trust.ts';

/** A key that signs files, like that of an installation. */
export class TestKey {
  /** Public key in base64url. */
  readonly name: string;
  private readonly key: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.name = publicKey.export({ format: 'jwk' }).x!;
    this.key = privateKey;
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }

  /** Returns this key's endorsement of a newer one. */
  endorse(newer: TestKey): { key: string; signature: string } {
    return { key: this.name, signature: this.sign(endorsedText(newer.name)) };
  }
}

/** A test's own response to a request; undefined serves the file. */
export type TestAnswer = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  nth: number,
) => 'answered' | undefined;

/** The server of a download for tests: a real server of one file, with ranges. */
export class TestFiles {
  bytes: Buffer;
  key = new TestKey();
  /** `Range` of each request, or an empty text. */
  readonly asked: string[] = [];
  answer: TestAnswer = () => undefined;
  private readonly server: http.Server;

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.server = http.createServer((request, response) => {
      this.asked.push(request.headers.range ?? '');
      if (this.answer(request, response, this.asked.length) === undefined) this.send(request, response);
    });
  }

  static async start(bytes: Buffer): Promise<TestFiles> {
    const files = new TestFiles(bytes);
    files.server.listen(0, '127.0.0.1');
    await once(files.server, 'listening');
    return files;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/f/token/desk.bin`;
  }

  get etag(): string {
    return `"${this.sha256}"`;
  }

  get sha256(): string {
    return createHash('sha256').update(this.bytes).digest('hex');
  }

  /** Returns the arguments of a command that brings the file. */
  linked(version: string): { url: string; size: number; sha256: string; signature: string; signedBy: string } {
    const file = { size: this.bytes.length, sha256: this.sha256 };
    return { url: this.url, ...file, signature: this.key.sign(signedText(file, version)), signedBy: this.key.name };
  }

  /** Sends the requested part, or the whole file when it has changed; stops after `most` bytes. */
  send(request: http.IncomingMessage, response: http.ServerResponse, most = Infinity): 'answered' {
    const { range, 'if-range': ifRange } = request.headers;
    const from =
      ifRange === undefined || ifRange === this.etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    const part = this.bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: this.etag,
      'content-length': part.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${this.bytes.length - 1}/${this.bytes.length}` } : {}),
    });
    if (most >= part.length) response.end(part);
    else response.write(part.subarray(0, most), () => response.socket?.destroySoon());
    return 'answered';
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
export const littleEndian = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, n) => bytes.writeUInt32LE(value, 4 * n));
  return bytes;
};
/** Builds a package as in docs/device-link.md from given windows: the bytes and base ranges of each. */
export function packageOf(
  old: Buffer,
  image: Buffer,
  windows: readonly { bytes: Buffer; ranges: readonly (readonly [number, number])[] }[],
): Buffer {
  return Buffer.concat([
    Buffer.from('CRLDLT01'),
    littleEndian(old.length, image.length),
    sha256(old),
    sha256(image),
    ...windows.map(({ bytes, ranges }) => {
      const dictionary = Buffer.concat(ranges.map(([at, length]) => old.subarray(at, at + length)));
      const frame = zstdCompressSync(bytes, dictionary.length > 0 ? { dictionary } : {});
      return Buffer.concat([littleEndian(bytes.length, frame.length, ranges.length, ...ranges.flat()), frame]);
    }),
  ]);
}
