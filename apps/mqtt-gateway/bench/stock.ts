/** The peer: Aedes 1.2.0 unchanged, with the same traffic as gateway.ts (no validation, nothing stored). */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Aedes } from 'aedes';
import { commandText as command, linkCommandTopic, macOf } from '../src/testing/wire.ts';

const aedes = await Aedes.createBroker({
  authenticate: (client, user, password, done) => done(null, user === client.id && password?.toString() === client.id),
});
aedes.on('publish', (packet, client) => {
  if (client === null) return;
  if (packet.topic.endsWith('/hello'))
    aedes.publish(
      {
        cmd: 'publish',
        topic: linkCommandTopic(client.id),
        payload: command('welcome'),
        qos: 1,
        dup: false,
        retain: false,
      },
      () => {},
    );
});
const server = createServer({ noDelay: true }, aedes.handle);
await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve));
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
let texts: string[] = [];
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, n] = line.split(' ');
    if (word === 'prepare') texts = Array.from({ length: Number(n) }, () => command('reboot'));
    if (word === 'command')
      for (let i = 0; i < Number(n); i++)
        aedes.publish(
          { cmd: 'publish', topic: linkCommandTopic(macOf(i)), payload: texts[i]!, qos: 1, dup: false, retain: false },
          () => {},
        );
    console.log('{}');
  })
  .on('close', () => process.exit());
