import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beforeCommit, companySession, currentSql, transaction, type Database } from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import { eventually, Journal, sequenceOf } from '@carillon/testing/bus-journal';
import type { Bus, OutRecord } from './bus.ts';
import { emit, emitMany, startOutbox, type Relay } from './outbox.ts';
import { envelope, toRecord } from './record.ts';
import { drivers, noteTopic, serviceDatabase } from './service.fixture.ts';

describe.each(drivers)('outbox, over $name', (driver) => {
  let bus: Bus;
  let database: Database;
  let journal: Journal;
  const company = uuidv7();
  const relays: Relay[] = [];
  const relay = async (over: Bus = bus): Promise<Relay> => {
    const made = await startOutbox({ database, bus: over, service: 'device' });
    relays.push(made);
    return made;
  };
  const inCompany = <T>(fn: () => Promise<T>): Promise<T> =>
    runAs(systemContext(company), () => transaction(database, companySession(company), fn));
  /** Wraps the bus and replaces its publish. */
  const over = (publish: (records: readonly OutRecord[]) => Promise<void>): Bus =>
    new Proxy(bus as Bus, {
      get: (target, name) => (name === 'publish' ? publish : (Reflect.get(target, name, target) as unknown)),
    });

  beforeAll(() => driver.begin());
  afterAll(() => driver.end());
  beforeEach(async () => {
    [bus, database] = await Promise.all([driver.fresh().then(driver.open), serviceDatabase()]);
    journal = new Journal();
    await bus.fanout({ topics: [noteTopic.name], from: 'end', handle: ({ records }) => journal.add(records) });
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((r) => r.close()));
    await bus.close();
    await database.close();
  });

  it('publishes the events of a committed transaction with its company, and none of a failed one', async () => {
    const waiting = await relay();
    const [kept, undone] = [uuidv7(), uuidv7()];
    await expect(
      inCompany(async () => {
        await emit(noteTopic, 'written', undone, { id: undone, text: 'undone' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await inCompany(async () => {
      await emit(noteTopic, 'written', kept, { id: kept, text: '0' }, { version: 7 });
      await emitMany(noteTopic, 'struck', [
        { key: kept, data: { id: kept, text: '1' } },
        { key: kept, data: null },
      ]);
      expect(journal.records).toEqual([]);
    });
    await eventually('published', () => journal.records.length === 3);
    expect(journal.records.map((r) => [r.key, r.headers['type'], r.value])).toEqual([
      [kept, 'written', `{"id":"${kept}","text":"0"}`],
      [kept, 'struck', `{"id":"${kept}","text":"1"}`],
      [kept, 'struck', null],
    ]);
    expect(journal.records[0]!.headers).toMatchObject({ companyId: company, version: '7', era: '1' });
    await eventually('outbox empty', async () => (await waiting.waiting()) === 0);
  });

  it('publishes events of the last statements before the commit', async () => {
    await relay();
    const note = uuidv7();
    await inCompany(async () => {
      await emit(noteTopic, 'written', note, { id: note, text: '0' });
      beforeCommit(() => emit(noteTopic, 'written', note, { id: note, text: '1' }));
    });
    await eventually('both published', () => journal.records.length === 2);
  });

  it('refuses an event that the bus can never accept, instead of blocking behind it', async () => {
    await relay();
    const note = uuidv7();
    await expect(
      inCompany(() => emit(noteTopic, 'written', note, { id: note, text: 'x'.repeat(2_000_000) })),
    ).rejects.toThrow(/larger than/);
    await inCompany(() => emit(noteTopic, 'written', note, { id: note, text: 'fits' }));
    await eventually('published', () => journal.records.length === 1);
  });

  it('publishes each event once and keeps the order of a row, with three relays', async () => {
    const rows = [uuidv7(), uuidv7(), uuidv7()];
    await inCompany(() =>
      currentSql().query(
        `
          insert into note_copy (id, company_id, text, version, era)
          select x, current_setting('app.company_id')::uuid, '', 0, 1
          from unnest($1::uuid[]) x
        `,
        [rows],
      ),
    );
    await Promise.all([relay(), relay(), relay()]);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 25; n += 1) {
          for (const id of rows) {
            await inCompany(async () => {
              const {
                rows: [row],
              } = await currentSql().query<{ version: string }>(
                'update note_copy set version = version + 1 where id = $1 returning version',
                [id],
              );
              await emit(noteTopic, 'written', id, { id, text: String(Number(row!.version) - 1) });
            });
          }
        }
      }),
    );
    await eventually('all published', () => journal.records.length >= 300);
    for (const id of rows)
      expect(journal.valuesOf(id).map((v) => (JSON.parse(v!) as { text: string }).text)).toEqual(sequenceOf(100));
  });

  it('is moved by a new plan each time, not by one for an empty table', async () => {
    const kept: string[] = [];
    await relay(
      over(async (records) => {
        const sql = `select statement from pg_prepared_statements where statement like '%delete from outbox%'`;
        kept.push(...(await currentSql().query<{ statement: string }>(sql)).rows.map((row) => row.statement));
        await bus.publish(records);
      }),
    );
    const note = uuidv7();
    await inCompany(() => emit(noteTopic, 'written', note, { id: note, text: '0' }));
    await eventually('published', () => journal.records.length === 1);
    expect(kept).toEqual([]);
  });

  it('publishes after a restart what a process left, and repeats what it published without a commit', async () => {
    const note = uuidv7();
    await inCompany(() =>
      emitMany(
        noteTopic,
        'written',
        sequenceOf(1_200).map((text) => ({ key: note, data: { id: note, text } })),
      ),
    );
    // A relay whose process dies after the publish and before its commit.
    let died = false;
    const dying = await relay(
      over(async (records) => {
        await bus.publish(records);
        if (!died) {
          died = true;
          throw new Error('dead');
        }
      }),
    );
    await eventually('all published, the first 500 twice', () => journal.records.length >= 1_700);
    await eventually('outbox empty', async () => (await dying.waiting()) === 0);
    const seen = journal.valuesOf(note).map((v) => Number((JSON.parse(v!) as { text: string }).text));
    expect(seen).toEqual([...Array(500).keys(), ...Array(1_200).keys()]);
    expect(new Set(journal.records.map((r) => r.headers['id'])).size).toBe(1_200);
  });

  it('publishes what another process committed and left', async () => {
    await relay();
    const note = uuidv7();
    const { topic, key, headers, value } = toRecord(
      noteTopic,
      note,
      { id: note, text: '0' },
      envelope('written', { companyId: company }),
    );
    // Without `emit`, this process does not know of the row.
    await inCompany(() =>
      currentSql().query('insert into outbox (topic, key, headers, value) values ($1, $2, $3, $4)', [
        topic,
        key,
        headers,
        value,
      ]),
    );
    await eventually('published', () => journal.records.length === 1);
  });

  it('waits while the bus is away, without a connection or memory for each event, and goes on in order', async () => {
    let open = false;
    const one = await relay(over((records) => (open ? bus.publish(records) : Promise.reject(new Error('away')))));
    const note = uuidv7();
    for (let n = 0; n < 30; n += 1)
      await inCompany(() => emit(noteTopic, 'written', note, { id: note, text: String(n) }));
    expect(await one.waiting()).toBe(30);
    open = true;
    await eventually('all published', () => journal.records.length === 30);
    expect(journal.valuesOf(note).map((v) => (JSON.parse(v!) as { text: string }).text)).toEqual(sequenceOf(30));
  });
});
