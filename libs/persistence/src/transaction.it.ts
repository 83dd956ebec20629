import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPostgres } from '@carillon/testing';
import {
  checkPolicies,
  companySession,
  currentEntities,
  currentSql,
  type Database,
  enterCompany,
  afterCommit,
  beforeCommit,
  platform,
  transaction,
  uuidv7,
  type Connection,
  type Session,
} from './index.ts';
import { a, b, berlin, hamburg, insert, names, Phone, openPhones } from './phone.fixture.ts';

/**
 * The conformance suite of the tenant transaction: whatever a service does with SQL or the ORM stays within its
 * company.
 */
let connection: Connection;
let database: Database;
beforeAll(async () => {
  ({ connection, database } = await openPhones('tenancy'));
});
afterAll(() => database?.close());

describe('a tenant transaction', () => {
  it('sees the rows of its company alone, by SQL and by the ORM', async () => {
    expect(await transaction(database, companySession(a), names)).toEqual(['a-berlin', 'a-hamburg']);
    expect(
      (await transaction(database, companySession(b), () => currentEntities().find(Phone, {}))).map((x) => x.name),
    ).toEqual(['b-hamburg']);
  });

  it('sees only the organizations of its user', async () => {
    expect(await transaction(database, { companyId: a, orgIds: [berlin] }, names)).toEqual(['a-berlin']);
    expect(await transaction(database, { companyId: a, orgIds: [] }, names)).toEqual([]);
  });

  it('cannot write, move or delete a row of another company', async () => {
    await expect(transaction(database, companySession(a), () => insert(b, hamburg, 'x'))).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      transaction(database, companySession(a), () => currentSql().query('update phone set company_id = $1', [b])),
    ).rejects.toThrow(/row-level security/);
    await expect(
      transaction(database, { companyId: a, orgIds: [berlin] }, () => insert(a, hamburg, 'x')),
    ).rejects.toThrow(/row-level security/);
    expect(
      (
        await transaction(database, companySession(a), () =>
          currentSql().query(`delete from phone where name = 'b-hamburg'`),
        )
      ).rowCount,
    ).toBe(0);
    expect(await transaction(database, companySession(b), names)).toEqual(['b-hamburg']);
  });

  it('sees nothing without a company, and fails outside of any transaction', async () => {
    expect(await transaction(database, companySession(null), names)).toEqual([]);
    expect(() => currentSql()).toThrow(/no transaction/);
    await expect(database.em.fork().execute('select * from phone')).rejects.toThrow();
  });

  it('leaves a connection to other companies, however many calls of one company are slow', async () => {
    const other = new pg.Client({ ...(await testPostgres()), database: connection.database });
    await other.connect();
    await other.query('select pg_advisory_lock(4711)');
    const slow = Array.from({ length: 20 }, () =>
      transaction(database, companySession(a), () => currentSql().query('select pg_advisory_xact_lock_shared(4711)'), {
        readOnly: true,
      }),
    );
    expect(await transaction(database, companySession(b), names)).toEqual(['b-hamburg']);
    await other.end();
    expect(await Promise.all(slow)).toHaveLength(20);
    expect(await transaction(database, companySession(a), names)).toEqual(['a-berlin', 'a-hamburg']);
  });

  it.each([
    ['that reads', { readOnly: true }, '15s'],
    ['that reads and is logged', { reads: true }, '15s'],
    ['that writes', {}, '1min'],
    ['of background work', { readOnly: true, background: true }, '1min'],
    ['of a job', { readOnly: true, job: true }, '1min'],
  ])('gives a statement of a transaction %s its time', async (_, options, time) => {
    const limit = async () =>
      (await currentSql().query<{ limit: string }>(`select current_setting('statement_timeout') as limit`)).rows[0];
    expect(await transaction(database, companySession(a), limit, options)).toEqual({ limit: time });
  });

  it('takes no connection before its first statement when it is lazy', async () => {
    let release!: () => void;
    const held = new Promise<void>((r) => {
      release = r;
    });
    const begun = Array.from({ length: connection.poolMax }, () =>
      transaction(database, companySession(a), async () => {
        await names();
        await held;
      }),
    );
    expect(
      await transaction(database, companySession(a), async () => 'nothing asked', { readOnly: true, lazy: true }),
    ).toBe('nothing asked');
    const asks = transaction(database, companySession(b), names, { readOnly: true, lazy: true });
    release();
    await Promise.all(begun);
    expect(await asks).toEqual(['b-hamburg']);
    expect(
      (await transaction(database, companySession(b), () => currentEntities().find(Phone, {}), { lazy: true })).map(
        (x) => x.name,
      ),
    ).toEqual(['b-hamburg']);
    await expect(
      transaction(database, companySession(b), () => insert(b, berlin, 'x'), { readOnly: true, lazy: true }),
    ).rejects.toThrow(/read-only/);
    await expect(
      transaction(
        database,
        companySession(b),
        async () => {
          await insert(b, berlin, 'gone');
          throw new Error('failed');
        },
        { lazy: true },
      ),
    ).rejects.toThrow('failed');
    expect(await transaction(database, companySession(b), names)).toEqual(['b-hamburg']);
    expect(database.pool.waitingCount).toBe(0);
  });

  it('leaves a connection to calls in the background, and gives its place back when it fails', async () => {
    let release!: () => void;
    const held = new Promise<void>((r) => {
      release = r;
    });
    const batches = Array.from({ length: connection.poolMax * 2 }, (_, i) =>
      transaction(
        database,
        companySession(a),
        async () => {
          await names();
          await held;
          if (i % 2 === 1) throw new Error('this batch fails');
        },
        { background: true },
      ),
    );
    expect(await transaction(database, companySession(a), names)).toEqual(['a-berlin', 'a-hamburg']);
    release();
    expect((await Promise.allSettled(batches)).map((r) => r.status)).toEqual(
      batches.map((_, i) => (i % 2 === 1 ? 'rejected' : 'fulfilled')),
    );
    expect(await transaction(database, companySession(a), names, { background: true })).toEqual([
      'a-berlin',
      'a-hamburg',
    ]);
  });

  it('leaves no setting behind on its connection', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        transaction(database, companySession(i % 2 ? a : b), async () => {
          const seen = await names();
          expect(seen.every((n) => n.startsWith(i % 2 ? 'a' : 'b'))).toBe(true);
        }),
      ),
    );
  });

  it('switches to another company inside of one transaction', async () => {
    expect(
      await transaction(database, companySession(null), async () => {
        await enterCompany(a);
        const first = await names();
        await enterCompany(b);
        return [first, await names()];
      }),
    ).toEqual([['a-berlin', 'a-hamburg'], ['b-hamburg']]);
  });

  it('crosses companies only through platform(), and returns to its own', async () => {
    expect(await platform(database, 'test', names)).toEqual(['a-berlin', 'a-hamburg', 'b-hamburg']);
    expect(
      await transaction(database, companySession(a), async () => [
        (await platform(database, 'test', names)).length,
        (await names()).length,
      ]),
    ).toEqual([3, 2]);
  });

  it('returns from platform() also after a failure, and from a nested platform()', async () => {
    expect(
      await transaction(database, companySession(a), async () => {
        await platform(database, 'test', () => Promise.reject(new Error('no row'))).catch(() => undefined);
        return names();
      }),
    ).toEqual(['a-berlin', 'a-hamburg']);
    expect(
      await platform(database, 'test', async () => [
        await platform(database, 'test', async () => (await names()).length),
        (await names()).length,
      ]),
    ).toEqual([3, 3]);
    expect(
      await transaction(database, companySession(a), () =>
        platform(database, 'test', async () => [
          await platform(database, 'test', async () => (await names()).length),
          (await names()).length,
        ]),
      ),
    ).toEqual([3, 3]);
  });

  it('stays committed when an afterCommit callback fails', async () => {
    const ran: string[] = [];
    expect(
      await transaction(database, companySession(a), async () => {
        afterCommit(() => {
          throw new Error('too late');
        });
        afterCommit(() => {
          ran.push('second');
        });
        return 'done';
      }),
    ).toBe('done');
    expect(ran).toEqual(['second']);
  });

  it('is over for work that was not awaited', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await transaction(database, companySession(a), async () => {
      const sql = currentSql();
      await names();
      late = () => sql.query('select * from phone');
    });
    await expect(late!()).rejects.toThrow(/committed|ended/);
  });

  it('refuses a nested transaction of another company', async () => {
    await expect(
      transaction(database, companySession(a), () => transaction(database, companySession(b), names)),
    ).rejects.toThrow(/another company/);
  });

  it('refuses a nested transaction that asks for less than the outer one gives', async () => {
    const inside = (outer: Session, inner: Session, options = {}) =>
      transaction(database, outer, () => transaction(database, inner, names, options));
    const narrow: Session = { companyId: a, orgIds: [berlin], userId: null };
    const user = uuidv7();
    await expect(inside(companySession(a), narrow)).rejects.toThrow(/all organizations/);
    await expect(inside({ ...narrow, orgIds: [berlin, hamburg] }, narrow)).rejects.toThrow(/other organizations/);
    await expect(inside({ ...narrow, userId: user }, narrow)).rejects.toThrow(/another user/);
    await expect(inside(companySession(a), companySession(a), { readOnly: true })).rejects.toThrow(/writing/);
    await expect(
      transaction(database, companySession(a), () =>
        platform(database, 'a test', () => transaction(database, companySession(a), names)),
      ),
    ).rejects.toThrow(/role/);
    // The same or more is accepted; the policies of the outer one still apply.
    expect(await inside(narrow, narrow)).toEqual(await transaction(database, narrow, names));
    expect(await inside(narrow, companySession(a))).toEqual(await transaction(database, narrow, names));
  });

  it('cannot keep the platform role or become the owner', async () => {
    await expect(
      transaction(database, companySession(a), () => currentSql().query(`set role ${connection.database}_owner`)),
    ).rejects.toThrow(/permission denied/);
    await expect(
      transaction(database, companySession(a), () =>
        currentSql().query('alter table phone disable row level security'),
      ),
    ).rejects.toThrow(/must be owner/);
    await expect(
      transaction(database, companySession(a), () => currentSql().query('drop policy organization on phone')),
    ).rejects.toThrow(/must be owner/);
  });

  it('rolls back completely, and runs no afterCommit callback', async () => {
    let answer = 0;
    await expect(
      transaction(database, companySession(a), async () => {
        afterCommit(() => {
          answer++;
        });
        await insert(a, berlin, 'gone');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(answer).toBe(0);
    expect(await transaction(database, companySession(a), names)).not.toContain('gone');
  });

  it('runs beforeCommit callbacks before the commit, and afterCommit callbacks after it', async () => {
    const order: string[] = [];
    await transaction(database, companySession(a), async () => {
      afterCommit(() => order.push('after'));
      beforeCommit(async () => {
        await names();
        order.push('before');
      });
      order.push('body');
    });
    expect(order).toEqual(['body', 'before', 'after']);
  });

  it('is one with a nested transaction, and read-only when asked', async () => {
    await expect(
      transaction(database, companySession(a), async () => {
        await transaction(database, companySession(a), () => insert(a, berlin, 'inner'));
        throw new Error('outer');
      }),
    ).rejects.toThrow('outer');
    expect(await transaction(database, companySession(a), names)).not.toContain('inner');
    await expect(
      transaction(database, companySession(a), () => insert(a, berlin, 'x'), { readOnly: true }),
    ).rejects.toThrow(/read-only/);
  });
});

describe('the policies in the database', () => {
  it('match the declaration', async () => {
    expect(await transaction(database, companySession(a), () => checkPolicies([]))).toEqual([]);
  });

  it('are reported when one is removed, duplicated or not forced', async () => {
    const { default: pg } = await import('pg');
    const admin = await testPostgres();
    const owner = new pg.Client({
      host: admin.host,
      port: admin.port,
      user: `${connection.database}_owner`,
      password: 'owner',
      database: connection.database,
    });
    await owner.connect();
    const check = () => transaction(database, companySession(a), () => checkPolicies([]));
    try {
      await owner.query('alter table phone no force row level security');
      expect(await check()).toEqual(['phone: row level security is not forced']);
      await owner.query('alter table phone force row level security; create policy open on phone using (true)');
      expect(await check()).toEqual(['phone: 2 permissive policies instead of one']);
      await owner.query('drop policy open on phone; drop policy phone_company_policy on phone');
      expect(await check()).toEqual(['phone: 0 permissive policies instead of one']);
    } finally {
      await owner.query(
        `create policy phone_company_policy on phone using (company_id = current_setting('app.company_id')::uuid)`,
      );
      await owner.end();
    }
  });
});
