import { randomBytes } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { z } from 'zod';
import { topic, type ServiceName } from '@carillon/contracts';
import { currentSql, Database, platform, tenant, tenantProperties } from '@carillon/persistence';
import { migratedDatabase, testDatabase } from '@carillon/testing';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import type { Bus } from './bus.ts';
import { KafkaClient } from './drivers/kafka.client.ts';
import { KafkaBus } from './drivers/kafka.ts';
import { migrateBus, PostgresBus } from './drivers/postgres.ts';
import { inboxDdl } from './inbox.ts';
import { outboxDdl } from './outbox.ts';
import { BusStrategy, type StrategyOptions } from './strategy.ts';

/** A topic of notes, like one of a separate service. */
export const noteTopic = topic({
  name: 'fixture.note.v1',
  writers: ['device'],
  readers: ['device'],
  key: 'note id',
  partitions: 2,
  cleanup: 'delete',
  retentionMs: 3_600_000,
  events: {
    written: z.object({ id: z.uuid(), text: z.string() }),
    struck: z.object({ id: z.uuid(), text: z.string() }),
  },
});
export const stateTopic = topic({
  name: 'fixture.state.v1',
  writers: ['device'],
  readers: ['device'],
  key: 'note id',
  partitions: 2,
  cleanup: 'compact',
  events: { note: z.object({ id: z.uuid(), text: z.string() }) },
});

const NoteCopySchema = defineEntity({
  name: 'NoteCopy',
  tableName: 'note_copy',
  ...tenant(),
  properties: { ...tenantProperties, text: p.text(), version: p.bigint('number'), era: p.integer() },
});
/** Another service's copy of the notes. */
export class NoteCopy extends NoteCopySchema.class {}
NoteCopySchema.setClass(NoteCopy);

class Tables extends Migration {
  override up(): void {
    for (const sql of [
      ...outboxDdl,
      ...inboxDdl,
      "create table effect (n bigint generated always as identity primary key, company_id uuid not null, note uuid not null, text text not null check (text <> 'refused'))",
      'create table note_copy (id uuid primary key, company_id uuid not null, text text not null, version bigint not null, era int not null)',
      ...['effect', 'note_copy'].flatMap((t) => [
        `alter table ${t} enable row level security`,
        `alter table ${t} force row level security`,
        `create policy company on ${t} using (company_id = current_setting('app.company_id')::uuid)`,
      ]),
    ])
      this.addSql(sql);
  }
}

export async function serviceDatabase(): Promise<Database> {
  const schema = { entities: [NoteCopy], migrations: [Tables] };
  const connection = await migratedDatabase('service', schema);
  return Database.open({ ...schema, connection: { ...connection, poolMax: 5 } });
}

/** A driver of the bus, for behaviour that must be the same over each one. */
export interface TestedDriver {
  name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Creates a new, empty log and returns the argument of `open`. */
  fresh(): Promise<string>;
  open(arg: string): Promise<Bus>;
  /** Simulates a process that died before it stored the positions of the group `device`, which has no member now. */
  rewind(arg: string): Promise<void>;
}

const withTopics = async (bus: Bus): Promise<Bus> => {
  await bus.ensureTopics([noteTopic, stateTopic]);
  return bus;
};

const overPostgres: TestedDriver = {
  name: 'the log in PostgreSQL',
  begin: async () => undefined,
  end: async () => undefined,
  async fresh() {
    const url = await testDatabase('bus');
    await migrateBus({ connectionString: url });
    return url;
  },
  open: async (url) => withTopics(await PostgresBus.open({ connection: { connectionString: url }, leaseMs: 1_500 })),
  async rewind(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('update position set pos = 0');
    await client.end();
  },
};

let kafka: TestKafka | undefined;
const overKafka: TestedDriver = {
  name: 'Kafka',
  begin: async () => {
    kafka = await testKafka();
  },
  end: async () => {
    await kafka?.stop();
  },
  fresh: async () => `s${randomBytes(4).toString('hex')}.`,
  open: async (prefix) =>
    withTopics(await KafkaBus.open({ connection: { brokers: [kafka!.bootstrap] }, prefix, heartbeatMs: 200 })),
  async rewind(prefix) {
    const client = new KafkaClient({ brokers: [kafka!.bootstrap] });
    const positions = [...(await client.committed(`${prefix}device`)).keys()].map((name) => ({
      topic: name.split(' ')[0]!,
      partition: Number(name.split(' ')[1]),
      next: 0,
    }));
    await client.commit(`${prefix}device`, '', -1, positions);
    await client.close();
  },
};

export const drivers: readonly TestedDriver[] = [overPostgres, overKafka];

/** Starts Nest with one controller that consumes through the strategy. */
export async function consume(
  controller: Type,
  options: Partial<StrategyOptions> & Pick<StrategyOptions, 'bus'>,
): Promise<{ close(): Promise<void> }> {
  @Module({ controllers: [controller] })
  class Consumers {}
  const strategy = new BusStrategy({ service: 'device' as ServiceName, pauseMs: 5, ...options });
  const app = await NestFactory.createMicroservice(Consumers, { strategy, logger: false, abortOnError: false });
  await app.listen();
  return app;
}

/** Returns the written rows of all companies, in the order of writing. */
export const effects = (database: Database): Promise<{ company_id: string; note: string; text: string }[]> =>
  platform(
    database,
    'test',
    async () =>
      (
        await currentSql().query<{ company_id: string; note: string; text: string }>(
          'select company_id, note, text from effect order by n',
        )
      ).rows,
  );
