import { connect, type Socket } from 'node:net';

/** Calls `line` for each line of a socket. */
export function lines(socket: Socket, line: (text: string) => void): void {
  let rest = '';
  socket
    .setNoDelay(true)
    .setEncoding('utf8')
    .on('error', () => socket.destroy())
    .on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      for (const part of parts) line(part);
    });
}

/**
 * `node floor-devices.ts PORT COUNT`: this many plain devices, each of which answers its commands, until its standard
 * input ends.
 */
if (import.meta.main) {
  const [port, count] = [Number(process.argv[2]), Number(process.argv[3])];
  for (let n = 0; n < count; n++) {
    const device = connect(port, '127.0.0.1', () => {
      device.write(`{"hello":${n}}\n`);
    });
    lines(device, (text) => {
      const { id, n: mine } = JSON.parse(text) as { id: string; n: number };
      if (mine !== n) throw new Error('the floor told the wrong device');
      device.write(`${JSON.stringify({ n, id, status: 'success', at: Date.now() })}\n`);
    });
  }
  process.stdin.resume().on('end', () => process.exit());
}
