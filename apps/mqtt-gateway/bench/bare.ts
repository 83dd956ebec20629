/**
 * The baseline: a plain Node server with Aedes' packet library mqtt-packet, one parser per socket. It sends the same as
 * the gateway in the same number of writes, without session, checks, order and limits.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { generate, parser } from 'mqtt-packet';
import type { Packet } from 'mqtt-packet';
import { commandText, indexOf, linkCommandTopic, macOf } from '../src/testing/wire.ts';

const sockets: Socket[] = [];
const command = (mac: string, payload: string): Buffer =>
  generate({ cmd: 'publish', topic: linkCommandTopic(mac), payload, qos: 1, messageId: 1, dup: false, retain: false });
let acks: [Socket, number][] = [];
/** Acknowledges together, as the gateway does when the bus has stored a batch. */
const acknowledge = (): void => {
  const all = acks;
  acks = [];
  for (const [to, messageId] of all) to.write(generate({ cmd: 'puback', messageId }));
};
const server = createServer({ noDelay: true }, (socket) => {
  const reader = parser({ protocolVersion: 4 });
  let mac = '';
  reader.on('packet', (packet: Packet) => {
    if (packet.cmd === 'connect') {
      mac = packet.clientId;
      sockets[indexOf(mac)] = socket;
      socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
    } else if (packet.cmd === 'subscribe')
      socket.write(generate({ cmd: 'suback', messageId: packet.messageId!, granted: [1] }));
    else if (packet.cmd === 'pingreq') socket.write(generate({ cmd: 'pingresp' }));
    else if (packet.cmd === 'publish') {
      if (packet.topic.endsWith('/hello')) socket.write(command(mac, commandText('welcome')));
      if (acks.push([socket, packet.messageId!]) === 1) setTimeout(acknowledge, 2);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    socket.cork();
    reader.parse(bytes);
    socket.uncork();
  });
});
await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve));
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
let texts: string[] = [];
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, n] = line.split(' ');
    if (word === 'prepare') texts = Array.from({ length: Number(n) }, () => commandText('reboot'));
    if (word === 'command') for (let i = 0; i < Number(n); i++) sockets[i]!.write(command(macOf(i), texts[i]!));
    console.log('{}');
  })
  .on('close', () => process.exit());
