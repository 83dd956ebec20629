/**
 * The lowest floor: a bare Node server that cuts packets by hand, with one read buffer for all sockets. It answers bytes
 * and knows nothing.
 */
import { Server, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { acknowledgement, connack, publish, suback } from '../src/codec/encode.ts';
import { commandText, indexOf, linkCommandTopic, macOf } from '../src/testing/wire.ts';

const sockets: Socket[] = [];
const buffer = Buffer.allocUnsafeSlow(64 * 1024);
let acks: [Socket, string][] = [];
const ackLater = (socket: Socket, text: string): void => {
  if (acks.push([socket, text]) === 1) setTimeout(() => {
    const all = acks;
    acks = [];
    for (const [to, what] of all) to.write(what, 'latin1');
  }, 2);
};
function take(this: Socket, length: number): boolean {
  let out = '', stored = '';
  for (let at = 0; at < length;) {
    let size = 0, shift = 0, body = at + 1;
    do {
      size |= (buffer[body]! & 127) << shift;
      shift += 7;
    } while (buffer[body++]! > 127);
    const type = buffer[at]! >> 4;
    if (type === 1) {
      sockets[indexOf(buffer.toString('latin1', body + 12, body + 24))] = this;
      out += connack(0);
    } else if (type === 8) out += suback(buffer.readUInt16BE(body), [1]);
    else if (type === 3) {
      const end = body + 2 + buffer.readUInt16BE(body);
      if (buffer[end - 1] === 0x6f) out += publish(linkCommandTopic(buffer.toString('latin1', body + 4, body + 16)), commandText('welcome'), 1);
      stored += acknowledgement(0x40, buffer.readUInt16BE(end));
    }
    at = body + size;
  }
  if (out !== '') this.write(out, 'latin1');
  if (stored !== '') ackLater(this, stored);
  return true;
}
const server = new Server();
await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve));
// oxlint-disable-next-line no-underscore-dangle -- Node's name for it; see tcp-listener.ts
(server as unknown as { _handle: { onconnection(error: number, handle: { setNoDelay(on: boolean): void }): void } })._handle.onconnection = (_, handle) => {
  handle.setNoDelay(true);
  const socket = new Socket({ handle, onread: { buffer, callback: take }, manualStart: true } as never);
  socket.on('error', () => socket.destroy());
  socket.read(0);
};
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
let texts: string[] = [];
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, n] = line.split(' ');
  if (word === 'prepare') texts = Array.from({ length: Number(n) }, () => commandText('reboot'));
  if (word === 'command') for (let i = 0; i < Number(n); i++) sockets[i]!.write(publish(linkCommandTopic(macOf(i)), texts[i]!, 1), 'latin1');
  console.log('{}');
}).on('close', () => process.exit());
