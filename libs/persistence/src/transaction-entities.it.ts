import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  columns,
  companySession,
  computed,
  currentEntities,
  currentSql,
  type Database,
  enterCompany,
  platform,
  transaction,
  uuidv7,
} from './index.ts';
import { a, b, berlin, hamburg, names, Phone, openPhones } from './phone.fixture.ts';

/** The entities of a tenant transaction: when they are written, and what they know of other companies. */
let database: Database;
beforeAll(async () => {
  ({ database } = await openPhones('entities'));
});
afterAll(() => database?.close());

const times = columns(Phone, 'p', ['createdAt', 'updatedAt']);

describe('the entities of a transaction', () => {
  const inA = <T>(work: () => Promise<T>): Promise<T> => transaction(database, companySession(a), work);
  const undo = new Error('undone');
  /** Rolls back all writes of a test. */
  const undone = async <T>(work: () => Promise<T>): Promise<T> => {
    let result!: T;
    await inA(async () => {
      result = await work();
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
    return result;
  };
  const create = (name: string) => {
    const phone = { id: uuidv7(), companyId: a, orgId: berlin, name };
    currentEntities().create(Phone, phone);
    return phone;
  };

  it('are written before the next statement, including changes and removals', async () => {
    expect(
      await undone(async () => {
        const { id } = create('a-new');
        const created = await names();
        const phone = await currentEntities().findOneOrFail(Phone, id);
        phone.name = 'a-renamed';
        const renamed = await names();
        currentEntities().remove(phone);
        return [created, renamed, await names()];
      }),
    ).toEqual([
      ['a-berlin', 'a-hamburg', 'a-new'],
      ['a-berlin', 'a-hamburg', 'a-renamed'],
      ['a-berlin', 'a-hamburg'],
    ]);
  });

  it('are written before the commit when no statement follows, and not after a failure', async () => {
    expect(await undone(async () => create('a-new'))).toMatchObject({ name: 'a-new' });
    expect(await inA(names)).not.toContain('a-new');
    const { id } = await inA(async () => create('a-new'));
    expect(await inA(names)).toContain('a-new');
    await inA(() => currentEntities().nativeDelete(Phone, { id }));
    expect(await inA(names)).not.toContain('a-new');
  });

  it('obey the policies: no other company, no hidden organization', async () => {
    await expect(
      transaction(database, { companyId: a, orgIds: [hamburg] }, async () => create('a-new')),
    ).rejects.toThrow(/row-level security/);
    await expect(transaction(database, companySession(b), async () => create('a-new'))).rejects.toThrow(
      /row-level security/,
    );
    expect(await inA(names)).not.toContain('a-new');
  });

  it('are unknown again after platform() when they were read across companies', async () => {
    const id = await transaction(
      database,
      companySession(b),
      async () => (await currentEntities().findAll(Phone))[0]!.id,
    );
    expect(
      await inA(async () => {
        const across = await platform(database, 'test', () => currentEntities().findOne(Phone, id));
        const own = await currentEntities().findOne(Phone, id);
        await enterCompany(b);
        const entered = await currentEntities().findOne(Phone, id);
        await enterCompany(a);
        return [across?.name, own, entered?.name, await currentEntities().findOne(Phone, id)];
      }),
    ).toEqual(['b-hamburg', null, 'b-hamburg', null]);
  });

  it("have PostgreSQL's time of writing, without another statement", async () => {
    const { id, created } = await inA(async () => {
      const { id: phoneId } = create('a-new');
      await currentEntities().flush();
      const phone = await currentEntities().findOneOrFail(Phone, phoneId);
      return { id: phoneId, created: { ...phone } };
    });
    const stored = async () =>
      (await currentSql().rows(times, `select ${times} from phone p where p.id = $1`, [id]))[0]!;
    expect(await inA(stored)).toEqual({ createdAt: created.createdAt, updatedAt: created.updatedAt });
    expect(created.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const changed = await inA(async () => {
      const phone = await currentEntities().findOneOrFail(Phone, id);
      await currentEntities().flush();
      expect(phone.updatedAt).toBe(created.updatedAt);
      phone.name = 'a-renamed';
      await currentEntities().flush();
      return { ...phone };
    });
    expect(await inA(stored)).toEqual({ createdAt: created.createdAt, updatedAt: changed.updatedAt });
    expect(changed.updatedAt > created.updatedAt).toBe(true);
    await inA(() => currentEntities().nativeDelete(Phone, { id }));
  });

  it('end with it', async () => {
    const late = await inA(async () => {
      const entities = currentEntities();
      await entities.findAll(Phone);
      return () => entities.count(Phone, {});
    });
    await expect(late()).rejects.toThrow(/ended/);
  });

  it('cost one statement each', async () => {
    const ran: string[] = [];
    const connect = database.pool.connect.bind(database.pool);
    const spied = vi.spyOn(database.pool, 'connect').mockImplementation((async () => {
      const client = await connect();
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      vi.spyOn(client, 'query').mockImplementation(((...values: unknown[]) => {
        ran.push(
          String(typeof values[0] === 'string' ? values[0] : (values[0] as { text: string }).text).split(' ')[0]!,
        );
        return query(...values);
      }) as never);
      return client;
    }) as never);
    try {
      await undone(async () => {
        const { id } = create('a-new');
        await currentEntities().flush();
        (await currentEntities().findOneOrFail(Phone, id)).name = 'a-renamed';
        await currentEntities().find(Phone, { name: 'a-renamed' });
        await names();
      });
    } finally {
      spied.mockRestore();
      vi.restoreAllMocks();
    }
    expect(ran).toEqual(['begin;', 'insert', 'update', 'select', 'select', 'rollback']);
  });
});

describe('rows that SQL reads by the columns of an entity', () => {
  const list = columns(Phone, 'p', ['id', 'orgId', 'name'], { length: computed<number>('length(p.name)') });

  it('have its names', async () => {
    const rows = await transaction(database, companySession(b), () =>
      currentSql().rows(list, `select ${list} from phone p where p.name = $1`, ['b-hamburg']),
    );
    expect(rows).toEqual([{ id: expect.any(String), orgId: hamburg, name: 'b-hamburg', length: 9 }]);
  });

  it('are refused when the statement has other columns', async () => {
    await expect(
      transaction(database, companySession(b), () => currentSql().rows(list, 'select * from phone p')),
    ).rejects.toThrow(/does not have the columns/);
  });
});
