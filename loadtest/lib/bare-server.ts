import { createServer } from 'node:http';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * `node bare-server.ts PORT-OF-POSTGRESQL`: answers HTTP with data of a row, accepts MQTT connections and answers their
 * pings. Prints its two ports.
 */
const client = new pg.Client({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  user: 'postgres',
  database: 'postgres',
});
await client.connect();
await client.query(`create table row (text text); insert into row values ('here')`);
let connections = 0;
const mqtt = createTcp((socket) => {
  socket
    .on('error', () => socket.destroy())
    .on('data', (bytes) => {
      const type = bytes[0]! >> 4;
      // CONNECT and PINGREQ (MQTT 3.1.1, 3.1 and 3.12).
      if (type === 1) {
        connections++;
        socket.write(Buffer.from([0x20, 2, 0, 0]));
      }
      if (type === 12) socket.write(Buffer.from([0xd0, 0]));
    });
});
await new Promise<void>((r) => {
  mqtt.listen(0, '127.0.0.1', r);
});
const http = createServer(
  (_, s) =>
    void (async () => {
      const { rows } = await client.query<{ text: string }>('select text from row');
      s.setHeader('content-type', 'application/json').end(JSON.stringify({ connections, row: rows[0]!.text }));
    })(),
);
await new Promise<void>((r) => {
  http.listen(0, '127.0.0.1', r);
});
process.stdout.write(`${(http.address() as AddressInfo).port} ${(mqtt.address() as AddressInfo).port}\n`);
