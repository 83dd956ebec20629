import { z } from 'zod';
import type { PermissionKey } from '../permissions.ts';
import { importBodyLimit, importFileMaximum, importPiece } from './constant.ts';
import type { Text } from './language.ts';
import { id, listOf, pageQuery } from './list.ts';
import { route } from './route.ts';

/** A column of a spreadsheet that can be imported. */
export interface ImportField {
  /** Heading of the column, in the template and in an exported list. */
  title: Text;
  /** Other headings that suppliers' files use for the same. */
  aliases?: readonly string[];
  /** Example value in the template. */
  example: string;
  /** Key columns identify an existing record: a file must have them. */
  key?: true;
  /** The column holds codes that a spreadsheet program may turn into numbers: a numeric cell is a fault. */
  code?: true;
  /** The value is never shown again after the import. */
  secret?: true;
  /**
   * A cell with `importClearMark` alone clears the value; an empty one keeps it. A name that is spelt like it is quoted,
   * as in an exported list.
   */
  clears?: true;
  /** Placeholder of a secret in an exported list: such a cell counts as empty. */
  saysNothing?: readonly Text[];
}
export type ImportFields = Readonly<Record<string, ImportField>>;

/** Headings of MACs, models and serial numbers in delivery lists and label files; punctuation does not count. */
export const usualHeadings = {
  mac: ['MAC address', 'MAC addr', 'MAC ID', 'Device MAC', 'MAC-Adresse', 'MAC 地址', 'MAC 주소', 'Endereço MAC'],
  model: [
    'Device model',
    'Model name',
    'Model no',
    'Product model',
    '设备型号',
    '产品型号',
    '모델명',
    'Modelo do dispositivo',
  ],
  sn: ['S/N', 'Serial', 'Serial no', 'Serial number', 'Seriennummer', '序列号', '일련번호', 'Número de série'],
} as const;

/** Headings of the two columns before the fields in the error file. */
export const importFileTitles = {
  row: { en_US: 'Row', zh_CN: '行', ko: '행', pt_BR: 'Linha' },
  errors: { en_US: 'What to fix', zh_CN: '需要修正的内容', ko: '고칠 내용', pt_BR: 'O que corrigir' },
} as const;

/** States of an import and their successors (SYS-11). `works`: the server is working without a user's input. */
export const importStates = {
  checking: { next: 'checked', works: true },
  checked: { next: 'running', works: false },
  running: { next: 'done', works: true },
  done: { next: 'undoing', works: false },
  undoing: { next: 'undone', works: true },
  undone: { next: null, works: false },
} as const;
export type ImportStatus = keyof typeof importStates;
const statuses = Object.keys(importStates) as [ImportStatus, ...ImportStatus[]];

/** Outcome of a row, planned or done. */
export const importOutcomes = ['add', 'update', 'unchanged', 'wrong'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** `kept`: the row was not undone, because its record was changed since. */
export const importRowStates = ['waiting', 'done', 'undone', 'kept'] as const;
export type ImportRowState = (typeof importRowStates)[number];

/** Returns the file types that an import reads; .csv only when the operator allows it. */
export const importTypes = (csv: boolean): string[] => ['.xls', '.xlsx', ...(csv ? ['.csv'] : [])];

const number = z.number().int();
/** The columns that can be read, named in the caller's language. */
const fields = z.array(
  z.object({
    key: z.string(),
    title: z.string(),
    /** A file without this column is refused. */
    required: z.boolean(),
    secret: z.boolean(),
    /** Whether `-` clears its value. */
    clears: z.boolean(),
  }),
);
export const importRecord = z
  .object({
    id,
    /** Name of the file. */
    name: z.string(),
    /** The sheet that was read; null for a .csv. */
    sheet: z.string().nullable(),
    status: z.enum(statuses),
    fields,
    /** Columns of the file that are not read. */
    ignored: z.array(z.string()),
    counts: z.object({
      total: number,
      checked: number,
      add: number,
      update: number,
      unchanged: number,
      wrong: number,
      done: number,
      undone: number,
      kept: number,
    }),
    createdAt: z.string(),
  })
  .meta({ id: 'Import' });
export type ImportRecord = z.output<typeof importRecord>;

export const importRowRecord = z
  .object({
    /** Row number in the file. */
    number,
    outcome: z.enum(importOutcomes).nullable(),
    state: z.enum(importRowStates),
    /** Values of the cells by field. A secret is shown as dots. */
    cells: z.record(z.string(), z.string()),
    /** Fields in which the row differs from the existing record. */
    changes: z.array(z.string()),
    errors: z.array(z.object({ field: z.string().nullable(), error: z.string(), msg: z.string() })),
  })
  .meta({ id: 'ImportRow' });

/** Position of each field's column in the file. */
const mapping = z.record(z.string().max(64), number.min(0).max(255));

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const params = z.object({ id });

/**
 * Declares the calls that import a noun from a spreadsheet: template, file, preview of each row, run, and undo. All
 * nouns have the same calls; `name` is the live kind and the prefix of the audit words.
 */
export function importRoutes<
  const Name extends string,
  const Place extends string,
  const Permission extends PermissionKey,
>({
  name,
  place,
  permission,
  title,
}: {
  name: Name;
  /** `service/import/noun`. */
  place: Place;
  permission: Permission;
  title: string;
}) {
  const base = { permission, errors: [] as const };
  return {
    template: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}/template`,
      summary: `A spreadsheet to fill in, for importing ${title}`,
      audit: 'none',
      flat: true,
      file: xlsx,
      response: z.unknown(),
    }),
    /**
     * Uploads a file. It is read while the call waits, and only its values are kept. A file with unknown columns is
     * answered with its headers and creates no import: the client sends it again with a mapping, which is remembered.
     */
    add: route({
      ...base,
      method: 'POST',
      path: `/api/f/${place}`,
      summary:
        `Read a spreadsheet (.xls or .xlsx, or .csv where the operator allows it) of ${title} and check each row; ` +
        'nothing is changed',
      audit: `${name}.importCheck`,
      status: 201,
      ownTransaction: true,
      bodyLimit: importBodyLimit,
      body: z.strictObject({
        name: z.string().trim().min(1).max(255),
        /** The file, in pieces of base64. */
        file: z
          .array(z.base64().max(importPiece))
          .min(1)
          .max(Math.ceil(((importFileMaximum * 4) / 3 / importPiece) * 1.1)),
        mapping: mapping.optional(),
      }),
      response: z.object({ headers: z.array(z.string()), fields, mapping, import: importRecord.nullable() }),
      errors: [
        'file.typeWrong',
        'file.importFormat',
        'file.tooLarge',
        'import.macros',
        'import.encoding',
        'import.tooManyRows',
        'import.tooManyColumns',
        'import.tooHeavy',
        'import.empty',
        'import.busy',
        'import.columnMissing',
      ],
    }),
    list: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}/list`,
      summary: `Imports of ${title} by the caller, the newest first`,
      audit: 'none',
      response: z.array(importRecord),
    }),
    get: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}/{id}`,
      summary: `How far an import of ${title} is`,
      audit: 'none',
      params,
      response: importRecord,
    }),
    rows: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}/{id}/row`,
      summary: `Rows of an import of ${title}: what becomes of each, and what is wrong with it`,
      audit: 'none',
      params,
      query: z.object({
        ...pageQuery,
        outcome: z.enum(importOutcomes).optional(),
        state: z.enum(importRowStates).optional(),
      }),
      response: listOf(importRowRecord),
    }),
    /** Corrects cells. An empty text clears a cell. */
    mend: route({
      ...base,
      method: 'PUT',
      path: `/api/f/${place}/{id}/row/{number}`,
      summary: `Mend a row of an import of ${title}`,
      audit: `${name}.importCheck`,
      params: z.object({ id, number: z.coerce.number().int().min(1).max(2_000_000) }),
      body: z.strictObject({ cells: z.record(z.string().max(64), z.string().max(512)) }),
      response: importRowRecord,
      errors: ['import.wrongState', 'common.fieldUnknown'],
    }),
    file: route({
      ...base,
      method: 'GET',
      path: `/api/f/${place}/{id}/file`,
      summary: `The rows of an import of ${title} that are wrong, with what is wrong with them, without secrets`,
      audit: 'none',
      params,
      flat: true,
      file: xlsx,
      response: z.unknown(),
    }),
    commit: route({
      ...base,
      method: 'POST',
      path: `/api/f/${place}/{id}/commit`,
      summary: `Add and change ${title} as the check has shown; rows that are wrong are left out`,
      audit: `${name}.import`,
      status: 202,
      params,
      response: importRecord,
      errors: ['import.wrongState'],
    }),
    undo: route({
      ...base,
      method: 'POST',
      path: `/api/f/${place}/{id}/undo`,
      summary: `Take back an import of ${title}, but for what was changed since`,
      audit: `${name}.importUndo`,
      status: 202,
      params,
      response: importRecord,
      errors: ['import.wrongState'],
    }),
    /** Removes an import. What it changed stays, and can no longer be undone. */
    remove: route({
      ...base,
      method: 'DELETE',
      path: `/api/f/${place}/{id}`,
      summary: `Forget an import of ${title}`,
      audit: `${name}.importEnd`,
      params,
      response: z.null(),
      errors: ['import.wrongState'],
    }),
  };
}
export type ImportRoutes = ReturnType<typeof importRoutes<string, string, PermissionKey>>;
