import { Agent, createServer, request } from 'node:http';

/**
 * The peer of `bench proxy`: an HTTP proxy of Node's own modules that checks and adds nothing. `node bare-proxy.ts
 * SOCKET` prints its port.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 128 });
const server = createServer((q, s) => {
  const onward = request(
    { socketPath: process.argv[2]!, agent, method: q.method, path: q.url, headers: q.headers },
    (answer) => {
      s.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(s);
    },
  );
  onward.on('error', () => s.destroy());
  q.pipe(onward);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`);
});
