import { isUtf8 } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { importTypes } from '@carillon/contracts';
import { importColumnMaximum, importFileMaximum, importRowMaximum } from '@carillon/contracts/constants';
import type { ErrorKey } from '@carillon/contracts/errors';
import { fail } from '../failure.ts';
import type { SheetContent, SheetOrder, SheetRefusal, SheetResult } from './sheet.worker.ts';
import { unpacked, zipEntries, type ZipEntry } from './zip.ts';

export interface SheetLimits {
  /** Total unpacked size in bytes: 50,000 rows of 14 columns have 40 MB. */
  unpacked: number;
  memoryMb: number;
  seconds: number;
  /** Whether .csv is accepted too. */
  csv: boolean;
}
const usual: SheetLimits = { unpacked: 150_000_000, memoryMb: 768, seconds: 30, csv: false };
const cellLength = 512;
/** Characters of all cells: 50,000 rows of 14 columns with 90 each. */
const allLength = 64_000_000;
/** Bytes of the part that lists the types of the others. */
const typesLength = 1_000_000;

const errorOf: Record<SheetRefusal, ErrorKey> = {
  format: 'file.importFormat',
  macros: 'import.macros',
  heavy: 'import.tooHeavy',
  rows: 'import.tooManyRows',
  columns: 'import.tooManyColumns',
};
const limitOf: Partial<Record<SheetRefusal, number>> = { rows: importRowMaximum, columns: importColumnMaximum };
const refuse = (refusal: SheetRefusal): never =>
  fail(errorOf[refusal], { limit: limitOf[refusal]?.toLocaleString('en-US') ?? '' });

const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const wrongType = (csv: boolean): never => fail('file.typeWrong', { types: importTypes(csv).join(', ') });

/** Text that begins like this is a page, a document or another table format. */
const otherText = /^\uFEFF?\s*(?:<|\{|\[|%PDF|%!PS|#!|ID;P|TABLE\r?\n0,1)/;
const control = /[\0-\x08\x0E-\x1F]/;
/**
 * Returns whether the file is CSV: any byte of a binary file could be a letter of a legacy encoding, so only UTF-8
 * without control characters is accepted, and the refusal of other text says how to convert it.
 */
function isCsv(file: Buffer): boolean {
  const start = file.toString('latin1', 0, 65_536);
  if (control.test(start) || otherText.test(file.toString('utf8', 0, 1_024))) return false;
  if (!isUtf8(file)) fail('import.encoding');
  return true;
}

/** Returns the declared types of a file's parts, which tell a workbook from a text document; undefined without them. */
function partTypes(file: Buffer, entries: readonly ZipEntry[]): string | undefined {
  const entry = entries.find((e) => e.name.toLowerCase() === '[content_types].xml');
  return entry && unpacked(file, entry, typesLength)?.toString();
}

/**
 * Returns the type of a file by its content, whatever its name (SYS-11). Checks its declared sizes before it is opened.
 */
function kindOf(file: Buffer, { unpacked, csv }: SheetLimits): SheetOrder['kind'] {
  if (file.length > importFileMaximum) fail('file.tooLarge', { limit: `${importFileMaximum / 1_048_576} MB` });
  if (file.subarray(0, 8).equals(compound)) return 'xls';
  const entries = zipEntries(file);
  if (!entries) return csv && isCsv(file) ? 'csv' : wrongType(csv);
  const types = partTypes(file, entries) ?? wrongType(csv);
  const hasMacros = entries.some((e) => /(^|\/)vbaProject\.bin$|^xl\/(macrosheets|dialogsheets)\//i.test(e.name));
  if (hasMacros || types.includes('ms-excel.sheet.macroEnabled')) refuse('macros');
  if (!/spreadsheetml\.(sheet|template)\.main\+xml/.test(types)) wrongType(csv);
  if (entries.reduce((sum, e) => sum + e.size, 0) > unpacked) refuse('heavy');
  return 'xlsx';
}

/** Reads one file at a time: two would use twice the memory. Waiting files are held in memory, so few may wait. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
const mostWaiting = 8;

/**
 * Returns the first visible sheet of an .xls or .xlsx file, or a .csv, as text. Throws a failure that names the reason.
 */
export async function readSheet(file: Buffer, limits: Partial<SheetLimits> = {}): Promise<SheetContent> {
  const all = { ...usual, ...limits };
  const order: SheetOrder = {
    file,
    kind: kindOf(file, all),
    rows: importRowMaximum,
    columns: importColumnMaximum,
    unpacked: all.unpacked,
    text: cellLength,
    letters: allLength,
  };
  if (waiting >= mostWaiting) fail('import.busy', { count: waiting });
  waiting += 1;
  const turn = last.then(() => work(order, all)).finally(() => (waiting -= 1));
  last = turn.catch(() => undefined);
  const result = await turn;
  return 'refusal' in result ? refuse(result.refusal) : result;
}

/** Beside this file in the sources, beside the bundle in a build. */
const script = new URL(import.meta.url.endsWith('.ts') ? './sheet.worker.ts' : './sheet.worker.js', import.meta.url);

function work(order: SheetOrder, { memoryMb, seconds }: SheetLimits): Promise<SheetResult> {
  return new Promise((done, failed) => {
    const worker = new Worker(script, {
      workerData: order,
      // The worker gets nothing of this process: no environment, arguments or output.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 64 },
    });
    const end = (result: SheetResult): void => {
      clearTimeout(timer);
      void worker.terminate();
      done(result);
    };
    const timer = setTimeout(() => end({ refusal: 'heavy' }), seconds * 1000);
    worker.once('message', end);
    worker.once('error', (error: Error & { code?: string }) => {
      clearTimeout(timer);
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') done({ refusal: 'heavy' });
      else failed(error);
    });
  });
}
