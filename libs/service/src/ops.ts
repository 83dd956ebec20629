import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { metricsText } from '@carillon/observability';
import type { Health } from './health.ts';

/**
 * What the machine asks of a process, on an address of its own that no client reaches: `/livez` as long as it answers,
 * `/readyz` 503 with the reasons until it may get work, `/metrics` in Prometheus' text.
 */
export async function startOps(
  healths: readonly Health[],
  listen: { path: string } | { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    const send = (status: number, type: string, text: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    };
    const json = (status: number, value: unknown): void =>
      send(status, 'application/json; charset=utf-8', JSON.stringify(value));
    const answer = async (): Promise<void> => {
      switch (request.url?.split('?')[0]) {
        case '/livez':
          return json(200, { live: true });
        case '/readyz': {
          // As of now: only the operator's own machines reach this port, and one that balances must not wait.
          const reports = await Promise.all(healths.map((health) => health.report()));
          const ready = reports.every((r) => r.ready);
          return json(ready ? 200 : 503, {
            ready,
            checks: Object.assign({}, ...reports.map((r) => r.checks)) as object,
          });
        }
        case '/metrics': {
          const { type, text } = await metricsText();
          return send(200, type, text);
        }
        default:
          return json(404, { paths: ['/livez', '/readyz', '/metrics'] });
      }
    };
    answer().catch(() => json(500, {}));
  });
  // A process that was killed leaves the file of its socket.
  if ('path' in listen) rmSync(listen.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // For good: a connection that cannot be taken is no reason to end either.
    server.on('error', reject).listen(listen, resolve);
  });
  if ('path' in listen) chmodSync(listen.path, 0o600);
  server.unref();
  return server;
}
