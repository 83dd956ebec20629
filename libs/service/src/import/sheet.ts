import { Worker } from 'node:worker_threads';
import { importColumnMaximum, importFileMaximum, importRowMaximum } from '@carillon/contracts/constants';
import type { ErrorKey } from '@carillon/contracts/errors';
import { fail } from '../failure.ts';
import type { SheetContent, SheetOrder, SheetRefusal, SheetResult } from './sheet.worker.ts';
import { zipEntries, type ZipEntry } from './zip.ts';

export interface SheetLimits {
  /** Bytes of everything that is unpacked: 50,000 rows of 14 columns have 40 MB. */
  unpacked: number;
  memoryMb: number;
  seconds: number;
}
const usual: SheetLimits = { unpacked: 150_000_000, memoryMb: 768, seconds: 30 };
const cellLength = 512;

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
const wrongType = (): never => fail('file.typeWrong', { types: '.xls, .xlsx' });

/** By what is in it, whatever it is called (SYS-11). What it says of its own size is looked at before it is opened. */
function kindOf(file: Buffer, { unpacked }: SheetLimits): SheetOrder['kind'] {
  if (file.length > importFileMaximum) fail('file.tooLarge', { limit: `${importFileMaximum / 1_048_576} MB` });
  if (file.subarray(0, 8).equals(compound)) return 'xls';
  const entries = zipEntries(file) ?? wrongType();
  const has = (test: (entry: ZipEntry) => boolean): boolean => entries.some(test);
  if (!has((e) => e.name === '[Content_Types].xml') || !has((e) => e.name === 'xl/workbook.xml')) wrongType();
  if (has((e) => /(^|\/)vbaProject\.bin$|^xl\/(macrosheets|dialogsheets)\//i.test(e.name))) refuse('macros');
  if (entries.reduce((sum, e) => sum + e.size, 0) > unpacked) refuse('heavy');
  return 'xlsx';
}

/** One file after the other: two would have twice the memory. Those that wait are held, so not many do. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
const mostWaiting = 8;

/** The first sheet of an .xls or .xlsx file as text, or the failure that says what it is instead. */
export async function readSheet(file: Buffer, limits: Partial<SheetLimits> = {}): Promise<SheetContent> {
  const all = { ...usual, ...limits };
  const order: SheetOrder = {
    file,
    kind: kindOf(file, all),
    rows: importRowMaximum,
    columns: importColumnMaximum,
    unpacked: all.unpacked,
    text: cellLength,
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
      // Nothing of the process's own: no settings, no arguments, no way to print.
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
