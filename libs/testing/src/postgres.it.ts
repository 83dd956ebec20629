import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { deadlocksOf } from '@carillon/devtools/deadlocks';
import { freePort } from '@carillon/devtools/free-port';
import { eventually } from './eventually.ts';
import { binaries, initdb, settings, startPostgres, stopPostgres } from './postgres-binaries.ts';

it("the test server's log names the statements of a deadlock", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-deadlock-'));
  const programs = await binaries();
  if (programs.user) chownSync(folder, programs.user.uid, programs.user.gid);
  const data = join(folder, 'data');
  await initdb(programs, data);
  const port = await freePort();
  let log = '';
  const server = await startPostgres(programs, data, port, settings, (text) => {
    log += text;
  });
  const clients = [1, 2].map(() => new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const [one, other] = clients as [pg.Client, pg.Client];
    await one.query('create table phone (id int primary key, calls int)');
    await one.query('insert into phone values (1, 0), (2, 0)');
    const call = (client: pg.Client, id: number) => client.query(`update phone set calls = 1 where id = ${id}`);
    for (const [client, id] of [
      [one, 1],
      [other, 2],
    ] as const) {
      await client.query('begin');
      await call(client, id);
    }
    const ends = await Promise.allSettled([call(one, 2), call(other, 1)]);
    expect(ends.map((end) => end.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await eventually(() => {
      const found = deadlocksOf(log);
      expect(found).toHaveLength(1);
      for (const id of [1, 2]) expect(found[0]).toContain(`update phone set calls = 1 where id = ${id}`);
    });
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    await stopPostgres(server);
    rmSync(folder, { recursive: true, force: true });
  }
});
