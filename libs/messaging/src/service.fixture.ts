import { Migration } from '@mikro-orm/migrations';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { topic, type ServiceName } from '@carillon/contracts';
import { currentSql, Database, migrate, platform, provision } from '@carillon/persistence';
import { testConnection, testDatabase, testPostgres } from '@carillon/testing';
import { migrateBus, PostgresBus } from './drivers/postgres.ts';
import { inboxDdl } from './inbox.ts';
import { outboxDdl } from './outbox.ts';
import { BusStrategy, type StrategyOptions } from './strategy.ts';

/** A topic of notes, as a service of its own would have. */
export const noteTopic = topic({
  name: 'fixture.note.v1', owner: 'device', key: 'note id', partitions: 2, cleanup: 'delete', retentionMs: 3_600_000,
  events: { written: z.object({ id: z.uuid(), text: z.string() }), struck: z.object({ id: z.uuid(), text: z.string() }) },
});
export const stateTopic = topic({ name: 'fixture.state.v1', owner: 'device', key: 'note id', partitions: 2, cleanup: 'compact', events: { note: z.object({ id: z.uuid(), text: z.string() }) } });

class Tables extends Migration {
  override up(): void {
    for (const sql of [
      ...outboxDdl, ...inboxDdl,
      'create table effect (n bigint generated always as identity primary key, company_id uuid not null, note uuid not null, text text not null check (text <> \'refused\'))',
      'create table note_copy (id uuid primary key, company_id uuid not null, text text not null, version bigint not null, era int not null)',
      ...['effect', 'note_copy'].flatMap((t) => [
        `alter table ${t} enable row level security`, `alter table ${t} force row level security`,
        `create policy company on ${t} using (company_id = current_setting('app.company_id')::uuid)`,
      ]),
    ]) this.addSql(sql);
  }
}

export async function serviceDatabase(): Promise<Database> {
  const connection = await testConnection('service', 5);
  await provision(await testPostgres(), connection, 'owner');
  const options = { connection, entities: [], migrations: [Tables] };
  await migrate(options, 'owner');
  return Database.open(options);
}

export async function busUrl(): Promise<string> {
  const url = await testDatabase('bus');
  await migrateBus({ connectionString: url });
  return url;
}

export async function openBus(url: string): Promise<PostgresBus> {
  const bus = await PostgresBus.open({ connection: { connectionString: url }, leaseMs: 1_500 });
  await bus.ensureTopics([noteTopic, stateTopic]);
  return bus;
}

/** Nest with one controller, consuming by the strategy. */
export async function consume(controller: Type, options: Partial<StrategyOptions> & Pick<StrategyOptions, 'bus'>): Promise<{ close(): Promise<void> }> {
  @Module({ controllers: [controller] })
  class Consumers {}
  const strategy = new BusStrategy({ service: 'device' as ServiceName, pauseMs: 5, ...options });
  const app = await NestFactory.createMicroservice(Consumers, { strategy, logger: false, abortOnError: false });
  await app.listen();
  return app;
}

/** What was written, of all companies, in the order it was written. */
export const effects = (database: Database): Promise<{ company_id: string; note: string; text: string }[]> =>
  platform(database, 'test', async () => (await currentSql().query<{ company_id: string; note: string; text: string }>('select company_id, note, text from effect order by n')).rows);
