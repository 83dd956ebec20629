import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Ber, BerReader, BerWriter } from 'ldapts';
import { generate } from 'selfsigned';
import type { Person } from './ldap-server.ts';

export interface ScriptedEntry {
  dn: string;
  attributes: Person;
}
/** What a page of a search answers. `code` is the LDAP result code; a page with a cookie is followed by the next one. */
export interface ScriptedPage {
  entries?: readonly ScriptedEntry[];
  hasMore?: boolean;
  code?: number;
  message?: string;
}
export interface LdapScript {
  bind?: { code: number; message: string };
  pages: readonly ScriptedPage[];
}
export interface ScriptedLdap {
  port: number;
  /** Answers by another script from now on. */
  play(script: LdapScript): void;
  stop(): Promise<void>;
}

const pagedResults = '1.2.840.113556.1.4.319';
const tags = { bind: 0x60, unbind: 0x42, search: 0x63, bound: 0x61, entry: 0x64, done: 0x65, controls: 0xa0 } as const;
const sequence = Ber.Sequence | Ber.Constructor;

function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return Buffer.from(writer.buffer);
}

function writeResult(writer: BerWriter, tag: number, code: number, text: string): void {
  writer.startSequence(tag);
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString(text);
  writer.endSequence();
}

const entryMessage = (id: number, { dn, attributes }: ScriptedEntry): Buffer =>
  message(id, (writer) => {
    writer.startSequence(tags.entry);
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(Ber.Set | Ber.Constructor);
      for (const value of [values].flat()) writer.writeString(value);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
    writer.endSequence();
  });

const doneMessage = (id: number, { code = 0, message: text = '', hasMore }: ScriptedPage, next: number): Buffer =>
  message(id, (writer) => {
    writeResult(writer, tags.done, code, text);
    const value = new BerWriter();
    value.startSequence();
    value.writeInt(0);
    value.writeString(hasMore ? String(next) : '');
    value.endSequence();
    writer.startSequence(tags.controls);
    writer.startSequence();
    writer.writeString(pagedResults);
    writer.writeBuffer(Buffer.from(value.buffer), Ber.OctetString);
    writer.endSequence();
    writer.endSequence();
  });

/** Returns the page that the cookie of a search asks for: the cookies are the numbers of the pages. */
function askedPage(request: Buffer): number {
  const at = request.indexOf(pagedResults);
  if (at === -1) return 0;
  const reader = new BerReader(request.subarray(at + pagedResults.length));
  if (reader.peek() === Ber.Boolean) reader.readBoolean();
  const value = new BerReader(reader.readString(Ber.OctetString, true)!);
  value.readSequence();
  value.readInt();
  return Number(value.readString() ?? '0');
}

/**
 * Starts a directory that answers as its script says, for what no real server can be made to do. `isTls`: over TLS, with
 * a certificate that nobody knows.
 */
export async function scriptedLdap(first: LdapScript, { isTls = false } = {}): Promise<ScriptedLdap> {
  let script = first;
  const sockets = new Set<Socket>();
  const answer = (socket: Socket, request: Buffer): void => {
    const reader = new BerReader(request);
    reader.readSequence();
    const id = reader.readInt()!;
    switch (reader.peek()) {
      case tags.bind: {
        const { code, message: text } = script.bind ?? { code: 0, message: '' };
        socket.write(message(id, (writer) => writeResult(writer, tags.bound, code, text)));
        return;
      }
      case tags.search: {
        const at = askedPage(request);
        const page = script.pages[at]!;
        socket.write(
          Buffer.concat([...(page.entries ?? []).map((one) => entryMessage(id, one)), doneMessage(id, page, at + 1)]),
        );
        return;
      }
      default:
        socket.end();
    }
  };
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    let held: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      held = Buffer.concat([held, bytes]);
      for (;;) {
        const reader = new BerReader(held);
        if (reader.readSequence(sequence) === null || reader.remain < reader.length) return;
        const end = reader.offset + reader.length;
        const request = held.subarray(0, end);
        held = held.subarray(end);
        answer(socket, request);
      }
    });
  };
  const pair = isTls ? await generate([{ name: 'commonName', value: 'localhost' }]) : undefined;
  const server = pair ? createTlsServer({ key: pair.private, cert: pair.cert }, serve) : createServer(serve);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    play: (next) => {
      script = next;
    },
    stop: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}
