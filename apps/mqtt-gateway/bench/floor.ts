/**
 * The floor: a bare Node server that gives the same bytes as gateway.ts in the same number of writes, with no session,
 * no check, no order and no limit. What the gateway costs above it is what it does.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { generate } from 'mqtt-packet';

const sockets: Socket[] = [];
const text = (action: string): string => JSON.stringify({ id: '01920000-0000-7000-8000-000000000001', action, args: { whenIdle: true }, expiresAt: Date.now() + 60_000, now: Date.now() });
const command = (mac: string, action: string): Buffer => generate({ cmd: 'publish', topic: `d/${mac}/command`, payload: text(action), qos: 1, messageId: 1, dup: false, retain: false });
const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;
let acks: [Socket, Buffer][] = [];
const ackLater = (socket: Socket, bytes: Buffer): void => {
  if (acks.push([socket, bytes]) === 1) setTimeout(() => {
    const all = acks;
    acks = [];
    for (const [to, what] of all) to.write(what);
  }, 2);
};
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    const out: Buffer[] = [], stored: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      let length = 0, shift = 0, body = at + 1;
      do {
        length |= (bytes[body]! & 127) << shift;
        shift += 7;
      } while (bytes[body++]! > 127);
      const type = bytes[at]! >> 4;
      if (type === 1) {
        const mac = bytes.toString('latin1', body + 12, body + 24);
        sockets[Number.parseInt(mac.slice(6), 16)] = socket;
        out.push(Buffer.from([0x20, 2, 0, 0]));
      } else if (type === 8) out.push(Buffer.from([0x90, 3, bytes[body]!, bytes[body + 1]!, 1]));
      else if (type === 12) out.push(Buffer.from([0xd0, 0]));
      else if (type === 3) {
        const end = body + 2 + bytes.readUInt16BE(body);
        if (bytes[end - 1] === 0x6f) out.push(command(bytes.toString('latin1', body + 4, body + 16), 'welcome'));
        stored.push(Buffer.from([0x40, 2, bytes[end]!, bytes[end + 1]!]));
      }
      at = body + length;
    }
    if (out.length > 0) socket.write(Buffer.concat(out));
    if (stored.length > 0) ackLater(socket, Buffer.concat(stored));
  });
});
await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve));
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, n] = line.split(' ');
  if (word === 'command') for (let i = 0; i < Number(n); i++) sockets[i]!.write(command(macOf(i), 'reboot'));
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed, cpuUs: user + system }));
}).on('close', () => process.exit());
