import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ImportOutcome, ImportRecord, ImportRowState, ImportStatus } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { createdInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { Context } from '@carillon/tenancy';

const dueIndex = `create index import_due on import (lease_until) where status in ('checking', 'running', 'undoing')`;

/** Statements for the migration of a service with imports. */
export const importDdl: readonly string[] = [
  `create table "import" (
    "id" uuid not null, "company_id" uuid not null, "noun" varchar(32) not null, "user_id" uuid not null,
    "access" jsonb not null, "name" varchar(255) not null, "status" varchar(16) not null, "ignored" jsonb not null,
    "counts" jsonb not null, "lease_until" timestamptz not null, "created_at" timestamptz(3) not null,
    primary key ("id"))`,
  `create table "import_row" (
    "id" uuid not null, "company_id" uuid not null,
    "import_id" uuid not null references "import" ("id") on delete cascade, "number" int not null,
    "cells" jsonb not null, "key" text null, "outcome" varchar(16) null, "state" varchar(16) not null,
    "errors" jsonb not null, "changes" jsonb not null, "object_id" uuid null, "before" jsonb null, "after" jsonb null,
    primary key ("id"))`,
  `create table "import_heading" (
    "id" uuid not null, "company_id" uuid not null, "noun" varchar(32) not null, "header" varchar(512) not null,
    "field" varchar(64) not null, primary key ("id"))`,
  dueIndex,
  'create index "import_user" on "import" ("user_id", "noun")',
  'create unique index "import_row_number" on "import_row" ("import_id", "number")',
  'create unique index "import_heading_header" on "import_heading" ("company_id", "noun", "header")',
  ...['import', 'import_row', 'import_heading'].flatMap((table) => [
    `alter table "${table}" enable row level security`,
    `alter table "${table}" force row level security`,
    `create policy "${table}_company_policy" on "${table}"
      using ("company_id" = current_setting('app.company_id')::uuid)`,
  ]),
];

/** Statements of the migration that follows `importDdl`. */
export const importSheetDdl: readonly string[] = [
  'alter table "import" add column "sheet" varchar(255) null',
  `alter table "import_row" add column "faults" jsonb not null default '[]'`,
];

/** The access of an import: that of the user who ordered it, at that time. */
export type ImportAccess = Pick<Context, 'userId' | 'username' | 'orgIds' | 'orgId' | 'permissions' | 'language'> & {
  allOrgs?: true;
};

/** An error of a row, and its field. */
export interface RowError {
  field: string | null;
  error: ErrorKey;
  values?: Record<string, unknown>;
}

/** An imported file (SYS-11). Each service has its own table. */
export const importEntity = () =>
  defineEntity({
    name: 'Import',
    tableName: 'import',
    indexes: [
      {
        name: 'import_due',
        expression: dueIndex,
      },
      { name: 'import_user', expression: 'create index import_user on import (user_id, noun)' },
    ],
    ...tenant(),
    properties: {
      ...tenantProperties,
      noun: p.string().length(32),
      userId: p.uuid(),
      access: p.json<ImportAccess>(),
      name: p.string().length(255),
      /** The sheet that was read; null for a .csv. */
      sheet: p.string().length(255).strictNullable(),
      status: p.string().$type<ImportStatus>().length(16),
      ignored: p.json<string[]>(),
      counts: p.json<ImportRecord['counts']>(),
      /** When a process may take it: at once, or when the current one must be dead. */
      leaseUntil: createdInstant(),
      createdAt: createdInstant(3),
    },
  });

export const importRowEntity = () =>
  defineEntity({
    name: 'ImportRow',
    tableName: 'import_row',
    indexes: [
      {
        name: 'import_row_number',
        expression: 'create unique index import_row_number on import_row (import_id, number)',
      },
    ],
    ...tenant(),
    properties: {
      ...tenantProperties,
      importId: p.uuid(),
      number: p.integer(),
      /** Values by field; a secret is sealed, or is a hash. */
      cells: p.json<Record<string, string>>(),
      /** Identity of the row's object: of two rows with the same one the second is wrong. */
      key: p.text().strictNullable(),
      outcome: p.string().$type<ImportOutcome>().length(16).strictNullable(),
      state: p.string().$type<ImportRowState>().length(16),
      /** What is wrong with cells as they stand in the file; a mended cell has none. */
      faults: p.json<RowError[]>().default([]),
      errors: p.json<RowError[]>(),
      changes: p.json<string[]>(),
      objectId: p.uuid().strictNullable(),
      /**
       * State before the import, and state that the import left: undo reverts only objects that are still in the
       * latter.
       */
      before: p.json<Record<string, unknown>>().strictNullable(),
      after: p.json<Record<string, unknown>>().strictNullable(),
    },
  });

/** Remembered mapping of headers to fields, so that the next file needs no mapping. */
const headingEntity = () =>
  defineEntity({
    name: 'ImportHeading',
    tableName: 'import_heading',
    indexes: [
      {
        name: 'import_heading_header',
        expression: 'create unique index import_heading_header on import_heading (company_id, noun, header)',
      },
    ],
    ...tenant(),
    properties: {
      ...tenantProperties,
      noun: p.string().length(32),
      header: p.string().length(512),
      field: p.string().length(64),
    },
  });

/** Entities for a service with imports. */
export const importEntities = () => [importEntity(), importRowEntity(), headingEntity()];
