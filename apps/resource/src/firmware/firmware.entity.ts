import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeltaFormat, NoticeAudience } from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';
import type { KeptFile } from '../upload/upload.queries.ts';

/** A differential package: the file that makes the firmware's version of another one. */
export interface Delta extends KeptFile {
  from: string;
  /** Absent: the maker's, as it was uploaded. */
  format?: DeltaFormat;
}

const properties = {
  name: p.string().length(64),
  version: p.string().length(32),
  least: p.string().length(100).strictNullable(),
  models: p.array().columnType('text[]').$type<string[]>(),
  description: p.string().length(2_000),
  /** One. */
  files: p.json<KeptFile[]>(),
  size: p.bigint('number'),
  /** One for each version that it is from. */
  deltas: p.json<Delta[]>(),
  noticeWhom: p.string().$type<NoticeAudience>().length(16),
  noticeAt: instant(3).strictNullable(),
  noticedAt: instant(3).strictNullable(),
  updatedAt: changedInstant(3),
  /** Of what others were told of it: each change has one more. */
  revision: p.integer(),
  /** The keys by which that was signed; null: nobody was told yet. */
  signer: p.string().length(100).strictNullable(),
};
const unique = (table: string, by: string) => [
  {
    name: `${table}_version`,
    expression: `create unique index ${table}_version on ${table} (${by}lower((name)::text), lower((version)::text))`,
  },
  {
    name: `${table}_files`,
    expression: `create index ${table}_files on ${table} using gin (files jsonb_path_ops)`,
  },
  {
    name: `${table}_deltas`,
    expression: `create index ${table}_deltas on ${table} using gin (deltas jsonb_path_ops)`,
  },
];

/** Firmware of a company. */
const FirmwareSchema = defineEntity({
  name: 'Firmware',
  tableName: 'firmware',
  indexes: unique('firmware', 'company_id, '),
  ...tenant(),
  properties: { ...tenantProperties, ...properties },
});
export class Firmware extends FirmwareSchema.class {}
FirmwareSchema.setClass(Firmware);

/** Official firmware: every company sees it, and the operator of the installation alone changes it. */
const OfficialFirmwareSchema = defineEntity({
  name: 'OfficialFirmware',
  tableName: 'official_firmware',
  indexes: unique('official_firmware', ''),
  properties: {
    id: p.uuid().primary(),
    /** The operator's company, whose bytes its file is. */
    ownerId: p.uuid(),
    ...properties,
  },
});
export class OfficialFirmware extends OfficialFirmwareSchema.class {}
OfficialFirmwareSchema.setClass(OfficialFirmware);
