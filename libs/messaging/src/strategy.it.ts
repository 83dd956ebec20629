import { Catch, Controller, UseFilters, type ExceptionFilter } from '@nestjs/common';
import { of } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '@carillon/contracts';
import { companySession, currentSql, platform, transaction, type Database } from '@carillon/persistence';
import { eventually } from '@carillon/testing/bus-journal';
import type { Bus, OutRecord } from './bus.ts';
import { dropDeadLetters, listDeadLetters, retryDeadLetters } from './dead-letter.ts';
import { On } from './on.ts';
import { project } from './projection.ts';
import { envelope, toRecord } from './record.ts';
import { consume, drivers, effects, NoteCopy, noteTopic, serviceDatabase, stateTopic } from './service.fixture.ts';

type Note = Message<typeof noteTopic>;
const company = uuidv7();
const other = uuidv7();
const write = (
  note: string,
  text: string,
  more: Parameters<typeof envelope>[1] = { companyId: company },
  type: 'written' | 'struck' = 'written',
): OutRecord => toRecord(noteTopic, note, { id: note, text }, envelope(type, more));

/** A typical handler: set-based, into a table that PostgreSQL separates by company. */
const store = async (messages: Note[], prefix = ''): Promise<void> => {
  await currentSql().query(
    `
      insert into effect (company_id, note, text)
      select current_setting('app.company_id')::uuid, x.note, x.text
      from unnest($1::uuid[], $2::text[]) with ordinality as x (note, text, n)
      order by n
    `,
    [messages.map((m) => m.key), messages.map((m) => prefix + m.data!.text)],
  );
};

describe.each(drivers)('consumers through Nest, over $name', (driver) => {
  let bus: Bus;
  let arg: string;
  let database: Database;
  const apps: { close(): Promise<void> }[] = [];
  const start = async (controller: new () => object, more: object = {}): Promise<{ close(): Promise<void> }> => {
    const app = await consume(controller, { bus, database, ...more });
    apps.push(app);
    return app;
  };
  const texts = async (note?: string): Promise<string[]> =>
    (await effects(database)).filter((e) => !note || e.note === note).map((e) => e.text);
  const settled = (count: number): Promise<void> =>
    eventually(
      `${count} effects and no lag`,
      async () => (await effects(database)).length >= count && (await bus.lag()).every((l) => l.lag === 0),
    );

  beforeAll(() => driver.begin());
  afterAll(() => driver.end());
  beforeEach(async () => {
    arg = await driver.fresh();
    [bus, database] = await Promise.all([driver.open(arg), serviceDatabase()]);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((a) => a.close()));
    await bus.close();
    await database.close();
  });

  it('handles a batch in one transaction, each company under its own session, in order per key', async () => {
    const calls: number[] = [];
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        calls.push(messages.length);
        await store(messages);
      }
    }
    const [a, b] = [uuidv7(), uuidv7()];
    await bus.publish(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? write(a, `${n}`) : write(b, `${n}`, { companyId: other }))),
    );
    await start(Notes);
    await settled(100);
    expect(await texts(a)).toEqual(Array.from({ length: 50 }, (_, n) => `${2 * n + 1}`));
    expect(await texts(b)).toEqual(Array.from({ length: 50 }, (_, n) => `${2 * n}`));
    expect(new Set((await effects(database)).map((e) => `${e.company_id} ${e.note}`))).toEqual(
      new Set([`${company} ${a}`, `${other} ${b}`]),
    );
    expect(calls).toEqual([50, 50]);
  });

  it('keeps the order of a key that changes its company, and of types with different handlers', async () => {
    @Controller()
    class Notes {
      @On(noteTopic, ['struck'])
      async struck(messages: Note[]): Promise<void> {
        await store(messages, 'struck ');
      }
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        await store(messages, 'written ');
      }
    }
    const a = uuidv7();
    await bus.publish([
      write(a, '1'),
      write(a, '2', { companyId: other }),
      write(a, '3'),
      write(a, '4', { companyId: company }, 'struck'),
      write(a, '5'),
      write(a, '6', { companyId: company }, 'struck'),
    ]);
    await start(Notes);
    await settled(6);
    expect(await texts(a)).toEqual(['written 1', 'written 2', 'written 3', 'struck 4', 'written 5', 'struck 6']);
  });

  it('does the effect of a message once, whether it comes twice in a batch, later, or after a crash', async () => {
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      written(messages: Note[]): Promise<void> {
        return store(messages);
      }
    }
    const twice = write(uuidv7(), 'once');
    await bus.publish([twice, write(uuidv7(), 'x'), twice]);
    const first = await start(Notes);
    await settled(2);
    await bus.publish([twice]);
    await eventually('no lag', async () => (await bus.lag()).every((l) => l.lag === 0));
    await first.close();
    await driver.rewind(arg);
    await start(Notes);
    await bus.publish([write(uuidv7(), 'end')]);
    await settled(3);
    expect((await texts()).sort()).toEqual(['end', 'once', 'x']);
  });

  it('loses no message to a Nest filter that swallows errors', async () => {
    @Catch()
    class Swallow implements ExceptionFilter {
      catch(): unknown {
        return of('all is well');
      }
    }
    let failures = 2;
    @Controller()
    @UseFilters(Swallow)
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        await store(messages);
        if (failures-- > 0) throw new Error('after the effect');
      }
    }
    await bus.publish([write(uuidv7(), 'kept')]);
    await start(Notes);
    await settled(1);
    expect(await texts()).toEqual(['kept']);
    expect(failures).toBe(-1);
  });

  it('puts exactly the poison of a batch aside, after five tries, and handles all others in order', async () => {
    let tries = 0;
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        if (messages.length === 1 && messages[0]!.data!.text === 'refused') tries += 1;
        await store(messages);
      }
    }
    const a = uuidv7();
    const batch = Array.from({ length: 64 }, (_, n) => write(a, n === 41 ? 'refused' : `${n}`));
    batch.splice(
      10,
      0,
      { ...batch[0]!, value: '{"id":' },
      { ...batch[0]!, headers: {} },
      { ...write(a, 'x'), value: '{"id":"no id"}' },
    );
    await bus.publish(batch);
    await start(Notes);
    await settled(63);
    expect(await texts(a)).toEqual(Array.from({ length: 64 }, (_, n) => `${n}`).filter((t) => t !== '41'));
    expect(tries).toBe(5);
    expect((await listDeadLetters(bus, 'device')).map((l) => l.error.slice(0, 30)).sort()).toHaveLength(4);
  });

  it('skips unknown types and messages undone by a restore', async () => {
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      written(messages: Note[]): Promise<void> {
        return store(messages);
      }
    }
    const newer = write(uuidv7(), 'newer');
    newer.headers = { ...newer.headers, type: 'translated' };
    await bus.publish([
      newer,
      write(uuidv7(), 'undone', { companyId: company, era: 1 }),
      write(uuidv7(), 'good', { companyId: company, era: 2 }),
    ]);
    await start(Notes, { era: 2 });
    await settled(1);
    expect(await texts()).toEqual(['good']);
    expect(await listDeadLetters(bus, 'device')).toEqual([]);
  });

  it('waits for an unavailable database, however long, without dead letters', async () => {
    let cuts = 7;
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        await store(messages);
        if (cuts-- > 0) await currentSql().query('select pg_terminate_backend(pg_backend_pid())');
      }
    }
    await bus.publish([write(uuidv7(), 'in the end')]);
    await start(Notes);
    await settled(1);
    expect(cuts).toBe(-1);
    expect(await texts()).toEqual(['in the end']);
    expect(await listDeadLetters(bus, 'device')).toEqual([]);
  });

  it('halves a batch that takes too long as a whole, without dead letters', async () => {
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        await currentSql().query(`set local statement_timeout = '250ms'`);
        await store(messages);
        await currentSql().query(`select pg_sleep($1)`, [messages.length * 0.1]);
      }
    }
    const a = uuidv7();
    await bus.publish(Array.from({ length: 8 }, (_, n) => write(a, `${n}`)));
    await start(Notes);
    await settled(8);
    expect(await texts()).toEqual(Array.from({ length: 8 }, (_, n) => `${n}`));
    expect(await listDeadLetters(bus, 'device')).toEqual([]);
  });

  it('deletes all expired ids at once, and none that may come again', async () => {
    const { pruneInbox } = await import('./inbox.ts');
    await transaction(database, companySession(null), () =>
      currentSql().query(
        `
          insert into inbox
          select 'device', gen_random_uuid(), now() - interval '1 day' * (case when n > 12000 then 7 else 9 end)
          from generate_series(1, 12003) n
        `,
      ),
    );
    expect(await pruneInbox(database)).toBe(12_000);
    expect(
      await transaction(
        database,
        companySession(null),
        async () => (await currentSql().query('select 1 from inbox')).rows.length,
      ),
    ).toBe(3);
  });

  it('lists dead letters, handles a retried one, and forgets a dropped one', async () => {
    let broken = true;
    @Controller()
    class Notes {
      @On(noteTopic, ['written'])
      async written(messages: Note[]): Promise<void> {
        if (broken) throw new Error('broken release');
        await store(messages);
      }
    }
    const [a, b] = [uuidv7(), uuidv7()];
    await bus.publish([write(a, 'retried'), write(b, 'dropped')]);
    await start(Notes);
    await eventually('both aside', async () => (await listDeadLetters(bus, 'device')).length === 2);
    broken = false;
    const letters = await listDeadLetters(bus, 'device');
    expect(letters.map((l) => [l.topic, l.type, l.companyId, l.error])).toEqual(
      Array(2).fill([noteTopic.name, 'written', company, 'Error: broken release']),
    );
    await retryDeadLetters(
      bus,
      'device',
      letters.filter((l) => l.key === a),
    );
    await dropDeadLetters(
      bus,
      'device',
      letters.filter((l) => l.key === b),
    );
    await settled(1);
    expect(await texts()).toEqual(['retried']);
    expect(await listDeadLetters(bus, 'device')).toEqual([]);
  });

  it('gives a feed every message except the ones that are invalid or whose handler fails', async () => {
    const seen: string[] = [];
    @Controller()
    class Feed {
      @On(noteTopic, ['written'], { mode: 'fanout', from: 'start' })
      async written(messages: Note[]): Promise<void> {
        if (messages.some((m) => m.data!.text === 'bad')) throw new Error('cannot');
        seen.push(...messages.map((m) => m.data!.text));
      }
    }
    const a = uuidv7();
    const batch = ['0', '1', 'bad', '2', '3'].map((t) => write(a, t));
    batch.push({ ...batch[0]!, value: 'nonsense' }, write(a, '4'));
    await bus.publish(batch);
    await start(Feed);
    expect(seen).toEqual(['0', '1', '2', '3', '4']);
  });

  it('keeps a copy of a compacted topic by version and era, with deletions, in its company', async () => {
    @Controller()
    class Copy {
      @On(stateTopic, ['note'])
      async note(messages: Message<typeof stateTopic>[]): Promise<void> {
        await project(NoteCopy, messages, ({ text }, { companyId }) => ({ companyId: companyId!, text }));
      }
    }
    const [a, b, c] = [uuidv7(), uuidv7(), uuidv7()];
    const state = (id: string, text: string | null, version: number, era = 1): OutRecord =>
      toRecord(
        stateTopic,
        id,
        text === null ? null : { id, text },
        envelope('note', { companyId: company, version, era }),
      );
    const copy = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await platformRows(database)).map((r) => [r.id, r.text]));
    await start(Copy);
    await bus.publish([state(a, 'a2', 2), state(a, 'a1', 1), state(b, 'b1', 1), state(c, 'c1', 1)]);
    await eventually('copied', async () => Object.keys(await copy()).length === 3);
    expect(await copy()).toEqual({ [a]: 'a2', [b]: 'b1', [c]: 'c1' });
    await bus.publish([state(a, 'a2 again', 2), state(b, null, 2), state(c, 'after the restore', 1, 2)]);
    await eventually(
      'changed',
      async () => (await copy())[c] === 'after the restore' && (await bus.lag()).every((l) => l.lag === 0),
    );
    expect(await copy()).toEqual({ [a]: 'a2', [c]: 'after the restore' });
  });
});

async function platformRows(database: Database): Promise<{ id: string; text: string }[]> {
  return platform(
    database,
    'test',
    async () => (await currentSql().query<{ id: string; text: string }>('select id, text from note_copy')).rows,
  );
}
