import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { metricsText } from '@carillon/observability';
import type { Health } from './health.ts';

/**
 * Starts the server for the orchestrator, on an address that no client reaches: `/livez` succeeds while the process
 * responds, `/readyz` is 503 with the reasons until it is ready, `/metrics` is Prometheus text.
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
          // Not cached: only the operator's own machines reach this port, and a load balancer must not wait.
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
  // A killed process leaves its socket file behind.
  if ('path' in listen) rmSync(listen.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // The error handler stays: a connection that cannot be accepted must not end the process.
    server.on('error', reject).listen(listen, resolve);
  });
  if ('path' in listen) chmodSync(listen.path, 0o600);
  server.unref();
  return server;
}
