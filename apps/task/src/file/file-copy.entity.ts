import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ActionFile, FileNoun } from '@carillon/actions';
import { tenant, tenantProperties } from '@carillon/persistence';

/** What a copy is of: a noun, or the configuration that templates make for one device, whose id is then its own. */
export type CopiedNoun = FileNoun | 'deviceConfig';

/** A file of a company, as a command names it; firmware is in `firmware_copy`. */
export const FileCopy = defineEntity({
  name: 'FileCopy',
  tableName: 'file_copy',
  properties: {
    ...tenantProperties,
    noun: p.string().$type<CopiedNoun>().length(32),
    file: p.json<ActionFile>(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

/** SQL: the current file of that noun; null when it does not exist. */
export const copiedSql = (noun: CopiedNoun) => (id: string) =>
  `(select f.file from file_copy f where f.id = ${id} and f.noun = '${noun}')`;
/** SQL: an expression over the version of the configuration that a device is to have; null when it has none. */
export const copiedConfigSql = (column: (version: string) => string) => (id: string) =>
  `(select ${column(`f.file ->> 'made'`)} from file_copy f where f.id = ${id} and f.noun = 'deviceConfig')`;
/** SQL: the id of a copy of that noun; null when it does not exist. */
export const copiedIdSql = (noun: CopiedNoun) => (id: string) =>
  `(select f.id from file_copy f where f.id = ${id} and f.noun = '${noun}')`;
