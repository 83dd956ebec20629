/**
 * The lowest baseline: the gateway's own sockets with packets cut by hand. It only answers bytes, so everything above
 * its cost is the work of the gateway.
 */
import { createInterface } from 'node:readline';
import { acknowledgement, connack, publish, suback } from '../src/codec/encode.ts';
import type { LinkSocket, Taken } from '../src/listener/listener.ts';
import { TcpListener } from '../src/listener/tcp-listener.ts';
import { commandText, indexOf, linkCommandTopic, macOf } from '../src/testing/wire.ts';

const sockets: LinkSocket[] = [];
let acks: [LinkSocket, string][] = [];
const ackLater = (socket: LinkSocket, text: string): void => {
  if (acks.push([socket, text]) === 1)
    setTimeout(() => {
      const all = acks;
      acks = [];
      for (const [to, what] of all) to.write(what);
    }, 2);
};
function take(socket: LinkSocket, buffer: Buffer, length: number): boolean {
  let out = '',
    stored = '';
  for (let at = 0; at < length;) {
    let size = 0,
      shift = 0,
      body = at + 1;
    do {
      size |= (buffer[body]! & 127) << shift;
      shift += 7;
    } while (buffer[body++]! > 127);
    const type = buffer[at]! >> 4;
    if (type === 1) {
      sockets[indexOf(buffer.toString('latin1', body + 12, body + 24))] = socket;
      out += connack(0);
    } else if (type === 8) out += suback(buffer.readUInt16BE(body), [1]);
    else if (type === 3) {
      const end = body + 2 + buffer.readUInt16BE(body);
      if (buffer[end - 1] === 0x6f)
        out += publish(linkCommandTopic(buffer.toString('latin1', body + 4, body + 16)), commandText('welcome'), 1);
      stored += acknowledgement(0x40, buffer.readUInt16BE(end));
    }
    at = body + size;
  }
  if (out !== '') socket.write(out);
  if (stored !== '') ackLater(socket, stored);
  return true;
}
const listener = new TcpListener('127.0.0.1', 0);
await listener.open({
  refuse: () => false,
  take: (socket) =>
    (socket.reader = {
      feed: (buffer: Buffer, length: number) => take(socket, buffer, length),
      handleClose: () => undefined,
    } as unknown as Taken),
});
console.log(JSON.stringify({ port: listener.address.port }));
let texts: string[] = [];
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, n] = line.split(' ');
    if (word === 'prepare') texts = Array.from({ length: Number(n) }, () => commandText('reboot'));
    if (word === 'command')
      for (let i = 0; i < Number(n); i++) sockets[i]!.write(publish(linkCommandTopic(macOf(i)), texts[i]!, 1));
    console.log('{}');
  })
  .on('close', () => process.exit());
