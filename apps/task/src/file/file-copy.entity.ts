import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ActionFile, FileNoun } from '@carillon/actions';
import { tenant, tenantProperties } from '@carillon/persistence';

/** A file of a company, as a command names it; firmware is in `firmware_copy`. */
export const FileCopy = defineEntity({
  name: 'FileCopy',
  tableName: 'file_copy',
  properties: {
    ...tenantProperties,
    noun: p.string().$type<FileNoun>().length(32),
    file: p.json<ActionFile>(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

/** SQL: the current file of that noun; null when it does not exist. */
export const copiedSql = (noun: FileNoun) => (id: string) =>
  `(select f.file from file_copy f where f.id = ${id} and f.noun = '${noun}')`;
