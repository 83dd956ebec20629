import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, testPostgres } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';
import { DispatchService } from './dispatch.service.ts';
import { due } from './due.ts';
import { expireCommands } from './expire.ts';
import { takeRate } from './rate.ts';
import { ResultConsumer } from './result.consumer.ts';
import { sendCommands } from './send.ts';

/** A task with 20,000 devices, of which 20 are online and busy with an older task: nothing is due. */
let rig: TaskRig;
const [older, task] = [uuidv7(), uuidv7()];
const first = '00000000-0000-0000-0000-000000000000';
const inCompany = <T>(fn: () => Promise<T>): Promise<T> =>
  transaction(rig.service.database, companySession(rig.actor.companyId), fn);

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 3_600_000 });
  const company = rig.actor.companyId;
  for (const [n, id] of [
    [1, older],
    [2, task],
  ] as const) {
    await rig.sql(
      `
        insert into task (
          id, company_id, number, name, action, type, status, params, target, access, expanded, total, success,
          fail, timeout, cancel, process, wait, creator_id, creator_name, created_at
        )
        values (
          $1, $2, $3, 'large', 'reboot', 'now', 'process', '{}', '{"ids":[]}', '{"orgIds":"*"}', true, 20000, 0, 0,
          0, 0, 0, 20000, $2, 'x', now()
        )
      `,
      [id, company, n],
    );
  }
  await rig.sql(
    `
      insert into device_copy
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $1, lpad(to_hex(n), 12, '0'),
        'P' || n, 'X7A', 'S' || n, '1.0', null, '["reboot"]', true, false, 0, 1, 1, 1
      from generate_series(1, 20000) n
    `,
    [company],
  );
  await rig.sql(
    `
      insert into link_session
      select id, company_id, 1000, ('x' || mac)::bit(48)::bigint % 1000 = 0, 'g#1', now() - interval '1 hour'
      from device_copy
    `,
  );
  const give = (id: string, status: string, which: string): Promise<unknown> =>
    rig.sql(
      `
        insert into task_device (
          task_id, device_id, company_id, org_id, mac, name, model, owner_epoch, status, command_id, sent_epoch,
          deadline_at, expires_at, updated_at
        )
        select $1, c.id, c.company_id, c.org_id, c.mac, c.name, c.model, 1, $2::varchar, gen_random_uuid(), 1000,
          now() + interval '1 hour', now() + interval '1 day', now() - interval '1 hour'
        from device_copy c
        join link_session s on s.device_id = c.id
        where ${which}
      `,
      [id, status],
    );
  await give(task, 'wait', 'true');
  await give(older, 'process', 's.online');
  const admin = await testPostgres();
  const client = new pg.Client({
    host: admin.host,
    port: admin.port,
    user: admin.user,
    password: admin.password,
    database: rig.service.database.name,
  });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
});
afterAll(() => rig?.close());

describe('a tick with nothing to do', () => {
  it.each(Object.entries(due).map(([name, { sql }]) => [name, sql] as const))(
    'does not read the rows that wait for offline devices: %s',
    async (_, sql) => {
      const [row] = await rig.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
      );
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row!['QUERY PLAN'][0].Plan;
      expect(hit! + read!).toBeLessThan(250);
    },
  );

  it('is one transaction, even when online devices have waiting rows', async () => {
    const pool = (await rig.service.database.orm.em
      .getConnection()
      .getNativeClient()) as unknown as NodeJS.EventEmitter;
    let taken = 0;
    const take = (): void => {
      taken++;
    };
    pool.on('acquire', take);
    await (rig.service.app.get(DispatchService) as unknown as { recover(): Promise<void> }).recover();
    pool.off('acquire', take);
    expect(taken).toBeLessThanOrEqual(3); // the outbox looks once a second
  });
});

/** Returns how many rows of a table the running transaction has read. */
const readOf = async (table: string): Promise<number> =>
  Number(
    (
      await currentSql().query<{ n: string }>(
        'select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables where relname = $1',
        [table],
      )
    ).rows[0]!.n,
  );

describe('many devices that come online before PostgreSQL updates its statistics', () => {
  it('are found by one read each, not by reading all for each', async () => {
    await rig.sql(`update task_device set status = 'success' where task_id = $1`, [older]);
    await rig.sql('update link_session set online = true');
    await inCompany(async () => {
      const before = await readOf('link_session');
      expect(
        (
          await sendCommands(
            rig.actor.companyId,
            { taskId: task, behind: first },
            { limit: 500, patience: 1, perSecond: 0, links: testLinks },
          )
        ).sent,
      ).toBe(500);
      expect((await readOf('link_session')) - before).toBeLessThan(5_000);
    });
  });

  it('expire through their index', async () => {
    await rig.sql(
      `update task_device set deadline_at = now() - interval '1 second' where task_id = $1 and status = 'process'`,
      [task],
    );
    await inCompany(async () => {
      expect((await expireCommands()).deviceIds).toHaveLength(500);
      expect(await readOf('link_session')).toBeLessThan(5_000);
    });
  });
});

describe('a task with 20,000 online devices that may not continue now', () => {
  const cost = async (): Promise<{ blocks: number; rows: number }> => {
    const [row] = await rig.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${due.waiting.sql}`,
    );
    const { Plan } = row!['QUERY PLAN'][0];
    return { blocks: Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!, rows: Plan['Actual Rows']! };
  };
  beforeAll(() => rig.sql('update task set wait = 0, ended_at = now() where id = $1', [older]));

  it('costs a tick nothing while it is at its limit of concurrent devices', async () => {
    expect((await cost()).rows).toBeGreaterThan(0);
    await rig.sql('update task set sync = 7, process = 7 where id = $1', [task]);
    const { blocks, rows } = await cost();
    expect(rows).toBe(0);
    expect(blocks).toBeLessThan(50);
    await rig.sql('update task set sync = 0 where id = $1', [task]);
  });

  it('costs a tick nothing while a freeze period holds its company', async () => {
    await rig.sql(
      `
        insert into freeze_period (
          id, company_id, name, site_ids, begin_local, end_local, time_zone, begins_at, ends_at, thawed, updated_at
        )
        values ($1, $1, 'Fair', '{}', '', '', '', now(), now() + interval '1 hour', false, now())
      `,
      [rig.actor.companyId],
    );
    const { blocks, rows } = await cost();
    expect(rows).toBe(0);
    expect(blocks).toBeLessThan(50);
    await rig.sql('delete from freeze_period');
    expect((await cost()).rows).toBeGreaterThan(0);
  });
});

describe('a large task at its rate limit', () => {
  it('is left to its pass except for rows behind it, and resumed when the pass has died', async () => {
    const id = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
    const waiting = async () => (await rig.sql<{ deviceId: string }>(due.waiting.sql)).map((r) => r.deviceId);
    await inCompany(() => takeRate(rig.actor.companyId, task, 1_000, 1, id(1_000)));
    const behind = await waiting();
    expect(behind).toHaveLength(500);
    expect(behind.every((device) => device <= id(1_000))).toBe(true);
    // Sending to single devices does not count as progress of the pass.
    await rig.sql(`update task_rate set walked_at = now() - interval '3 seconds'`);
    await inCompany(() => takeRate(rig.actor.companyId, task, 1_000, 1, null));
    expect(await waiting()).toHaveLength(5_000);
    await (rig.service.app.get(DispatchService) as unknown as { recover(): Promise<void> }).recover();
    await eventually(async () => {
      expect(
        await rig.sql(`select 1 from task_rate where walked_at > now() - interval '2 seconds' and walked > $1`, [
          id(1_000),
        ]),
      ).toHaveLength(1);
    });
  });
});

describe('answers to a task before PostgreSQL updates its statistics', () => {
  it('are stored by reading the rows of their commands, not all of the task', async () => {
    const fresh = await taskRig({ taskTickMs: 3_600_000 });
    try {
      const [company, id] = [fresh.actor.companyId, uuidv7()];
      const admin = await testPostgres();
      const client = new pg.Client({
        host: admin.host,
        port: admin.port,
        user: admin.user,
        password: admin.password,
        database: fresh.service.database.name,
      });
      await client.connect();
      await client.query('alter table task_device set (autovacuum_enabled = false)');
      await client.query('analyze');
      await client.end();
      await fresh.sql(
        `
          insert into task (
            id, company_id, number, name, action, type, status, params, target, access, expanded, total, success,
            fail, timeout, cancel, process, wait, creator_id, creator_name, created_at
          )
          values (
            $1, $2, 1, 'large', 'reboot', 'now', 'process', '{}', '{"ids":[]}', '{"orgIds":"*"}', true, 20000, 0, 0,
            0, 0, 20000, 0, $2, 'x', now()
          )
        `,
        [id, company],
      );
      const rows = await fresh.sql<{ deviceId: string; id: string }>(
        `
          insert into task_device (
            task_id, device_id, company_id, org_id, mac, name, model, owner_epoch, status, command_id, sent_epoch,
            deadline_at, expires_at, updated_at
          )
          select $1, gen_random_uuid(), $2, $2, lpad(to_hex(n), 12, '0'), 'P' || n, 'X7A', 1, 'process',
            gen_random_uuid(), 1000, now() + interval '1 hour', now() + interval '1 day', now()
          from generate_series(1, 20000) n
          returning device_id as "deviceId", command_id as id
        `,
        [id, company],
      );
      const messages = rows
        .slice(0, 60)
        .map((r) => ({ data: { deviceId: r.deviceId, payload: { id: r.id, status: 'success', at: 1 } } }));
      await transaction(fresh.service.database, companySession(company), async () => {
        await fresh.service.app.get(ResultConsumer).result(messages as never);
        expect(await readOf('task_device')).toBeLessThan(1_000);
      });
      expect(await fresh.sql('select success, process from task where id = $1', [id])).toEqual([
        { success: 60, process: 19_940 },
      ]);
    } finally {
      await fresh.close();
    }
  });
});
