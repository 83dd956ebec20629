import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';

/**
 * The baseline of `bench download`: Node's own server with a stream of the file per client. `node bare.ts FILE SOCKET`.
 */
const [file, socket] = process.argv.slice(2) as [string, string];
createServer((_: IncomingMessage, answer) => {
  createReadStream(file).pipe(answer);
}).listen(socket, 2_048, () => process.send?.({ links: ['/'] }));
