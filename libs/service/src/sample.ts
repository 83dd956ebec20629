import type { Bus, Relay } from '@carillon/messaging';
import { meanings, sampled } from '@carillon/observability';
import type { Database } from '@carillon/persistence';
import type { Health } from './health.ts';

/** Registers the metrics of every service: lag, outbox, connections, health. */
export function sampleService({
  service,
  bus,
  database,
  outbox,
  health,
}: {
  service: string;
  bus: Bus;
  database?: Database | undefined;
  outbox?: Relay | undefined;
  health: Health;
}): () => void {
  const stops = [
    sampled(meanings.ready, async () =>
      Object.entries((await health.report()).checks).map(([check, state]) => [
        { service, check },
        state === 'ok' ? 1 : 0,
      ]),
    ),
  ];
  if (database) {
    const { pool } = database;
    stops.push(
      sampled(meanings.lag, async () => {
        const own = (await bus.lag()).filter((l) => l.group === service);
        return [...Map.groupBy(own, (l) => l.topic)].map(([topic, lines]) => [
          { group: service, topic },
          lines.reduce((sum, l) => sum + l.lag, 0),
        ]);
      }),
      sampled(meanings.database, () => [
        [{ service, state: 'used' }, pool.totalCount - pool.idleCount],
        [{ service, state: 'idle' }, pool.idleCount],
        [{ service, state: 'waiting' }, pool.waitingCount],
      ]),
    );
  }
  if (outbox) {
    // One query serves both metrics.
    let look: ReturnType<Relay['backlog']> | undefined;
    const backlog = (): ReturnType<Relay['backlog']> =>
      (look ??= outbox.backlog().finally(() => {
        look = undefined;
      }));
    stops.push(
      sampled(meanings.outboxWaiting, async () => [[{ service }, (await backlog()).waiting]]),
      sampled(meanings.outboxAge, async () => [[{ service }, (await backlog()).ageSeconds]]),
    );
  }
  return () => {
    for (const stop of stops) stop();
  };
}
