import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeltaFormat, NoticeAudience } from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';
import type { KeptFile } from '../upload/upload.queries.ts';

/** A file with the signature that it got when it was added. */
export interface SignedKept extends KeptFile {
  /** Absent in rows from before signatures were stored, until they are signed again. */
  signature?: string;
}

/** A differential package: the file that turns another version into the firmware's. */
export interface Delta extends SignedKept {
  from: string;
  /** Absent: the maker's, as uploaded. */
  format?: DeltaFormat;
}

const properties = {
  name: p.string().length(64),
  version: p.string().length(32),
  least: p.string().length(100).strictNullable(),
  models: p.array().columnType('text[]').$type<string[]>(),
  description: p.string().length(2_000),
  /** Exactly one. */
  files: p.json<SignedKept[]>(),
  size: p.bigint('number'),
  /** At most one for each source version. */
  deltas: p.json<Delta[]>(),
  noticeWhom: p.string().$type<NoticeAudience>().length(16),
  noticeAt: instant(3).strictNullable(),
  noticedAt: instant(3).strictNullable(),
  updatedAt: changedInstant(3),
  /** Version of the published state: each change increments it. */
  revision: p.integer(),
  /** The keys of the published signatures; null: not published yet. */
  signer: p.string().length(100).strictNullable(),
  /** Since when its bytes or signatures are not those that were stored; null: they are. */
  damagedAt: instant(3).strictNullable(),
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

/** Official firmware: visible to every company, and changed only by the operator of the installation. */
const OfficialFirmwareSchema = defineEntity({
  name: 'OfficialFirmware',
  tableName: 'official_firmware',
  indexes: unique('official_firmware', ''),
  properties: {
    id: p.uuid().primary(),
    /** The operator's company, which owns the bytes. */
    ownerId: p.uuid(),
    ...properties,
  },
});
export class OfficialFirmware extends OfficialFirmwareSchema.class {}
OfficialFirmwareSchema.setClass(OfficialFirmware);
