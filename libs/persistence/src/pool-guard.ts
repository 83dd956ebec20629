import type { MikroORM } from '@mikro-orm/postgresql';

interface Client {
  release?(error?: Error): void;
  once(event: 'end', listener: () => void): unknown;
}

interface Pool {
  on(event: 'acquire', listener: (client: Client) => void): unknown;
}

/**
 * Gives a connection that ended inside a transaction back to its pool. Kysely 0.29.6 frees it only after a `rollback`
 * that worked (ControlledTransaction.rollback), which a dead connection never does: after as many lost connections as
 * the pool holds, a service would wait for one for ever.
 */
export async function guardPool(orm: MikroORM): Promise<void> {
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as Pool;
  const watched = new WeakSet<Client>();
  pool.on('acquire', (client) => {
    if (!watched.has(client)) client.once('end', () => client.release?.(new Error('the connection ended')));
    watched.add(client);
    // The pool sets `release` right after this event, and refuses a second call of it.
    queueMicrotask(() => {
      const release = client.release!.bind(client);
      let released = false;
      client.release = (error) => {
        if (released) return;
        released = true;
        release(error);
      };
    });
  });
}
