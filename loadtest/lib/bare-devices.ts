import { connect } from 'node:net';

/**
 * `node bare-devices.ts PORT COUNT`: opens this many MQTT connections that ping. Prints how many were accepted and got
 * an answer to a ping.
 */
const [port, count] = [Number(process.argv[2]), Number(process.argv[3])];
let held = 0;
for (let n = 0; n < count; n++) {
  const id = `device${n}`;
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(
      Buffer.concat([
        Buffer.from([0x10, 12 + id.length, 0, 4]),
        Buffer.from('MQTT'),
        Buffer.from([4, 2, 0, 60, 0, id.length]),
        Buffer.from(id),
      ]),
    );
  });
  socket.on('data', (bytes) => {
    if (bytes[0] === 0x20) socket.write(Buffer.from([0xc0, 0]));
    else if (bytes[0] === 0xd0 && ++held === count) process.stdout.write(`${held}\n`);
  });
}
