/** The peer: Aedes 1.2.0 as shipped, doing the same on the wire as gateway.ts (no validation, nothing stored). */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Aedes } from 'aedes';

const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;
const command = (action: string): string => JSON.stringify({ id: '01920000-0000-7000-8000-000000000001', action, args: { whenIdle: true }, expiresAt: Date.now() + 60_000, now: Date.now() });
const aedes = await Aedes.createBroker({
  authenticate: (client, user, password, done) => done(null, user === client.id && password?.toString() === client.id),
});
let received = 0;
aedes.on('publish', (packet, client) => {
  if (client === null) return;
  received++;
  if (packet.topic.endsWith('/hello')) aedes.publish({ cmd: 'publish', topic: `d/${client.id}/command`, payload: command('welcome'), qos: 1, dup: false, retain: false }, () => {});
});
const server = createServer({ noDelay: true }, aedes.handle);
await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve));
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, n] = line.split(' ');
  if (word === 'command') for (let i = 0; i < Number(n); i++) aedes.publish({ cmd: 'publish', topic: `d/${macOf(i)}/command`, payload: command('reboot'), qos: 1, dup: false, retain: false }, () => {});
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed, cpuUs: user + system, online: aedes.connectedClients, received }));
}).on('close', () => process.exit());
