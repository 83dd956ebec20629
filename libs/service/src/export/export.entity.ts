import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ExportOrder, ExportRecord } from '@carillon/contracts';
import { createdInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { Context } from '@carillon/tenancy';

/** Statements for the migration of a service whose lists can be exported. */
export const exportDdl = [
  `
    create table "list_export" (
      "id" uuid not null,
      "company_id" uuid not null,
      "user_id" uuid not null,
      "path" varchar(128) not null,
      "name" varchar(64) not null,
      "maker" jsonb not null,
      "wanted" jsonb not null,
      "status" varchar(16) not null,
      "done" int not null,
      "total" int not null,
      "lease_until" timestamptz not null,
      "created_at" timestamptz(3) not null,
      "writer" uuid null,
      primary key ("id")
    )
  `,
  `
    create table "list_export_part" (
      "id" uuid not null,
      "company_id" uuid not null,
      "export_id" uuid not null references "list_export" ("id") on delete cascade,
      "number" int not null,
      "bytes" bytea not null,
      primary key ("id")
    )
  `,
  'create index "list_export_part_export" on "list_export_part" ("export_id", "number")',
  `create index "list_export_due" on "list_export" ("lease_until") where status = 'process'`,
  ...['list_export', 'list_export_part'].flatMap((table) => [
    `alter table "${table}" enable row level security`,
    `alter table "${table}" force row level security`,
    `
      create policy "${table}_company_policy" on "${table}"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `,
  ]),
] as const;

/** An ordered file of a list. It contains what the user could see at the time of the order. */
export const ListExportRow = defineEntity({
  name: 'ListExport',
  tableName: 'list_export',
  indexes: [
    {
      name: 'list_export_due',
      expression: `create index list_export_due on list_export (lease_until) where status = 'process'`,
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    /** Path of the call that ordered it, which identifies the list. */
    path: p.string().length(128),
    name: p.string().length(64),
    maker: p.json<Context>(),
    wanted: p.json<ExportOrder>(),
    status: p.string().$type<ExportRecord['status']>().length(16),
    done: p.integer(),
    total: p.integer(),
    /** When a writer may take it: at once, or when the current writer must be dead. */
    leaseUntil: createdInstant(),
    createdAt: createdInstant(3),
    /** The writer that holds it: a delayed one notices here that another has taken over. */
    writer: p.uuid().strictNullable(),
  },
});

export const ListExportPart = defineEntity({
  name: 'ListExportPart',
  tableName: 'list_export_part',
  indexes: [
    {
      name: 'list_export_part_export',
      expression: 'create index list_export_part_export on list_export_part (export_id, number)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, exportId: p.uuid(), number: p.integer(), bytes: p.blob().$type<Buffer>() },
});

/** Entities for a service with exports. */
export const exportEntities = [ListExportRow, ListExportPart] as const;
