import { renderTime, type Clock } from '@carillon/contracts/time';
import { namesText, type ExportCell, type ExportOrder, type ListExport } from '@carillon/contracts';
import { writtenText } from '../import/sheet.text.ts';

/** Returns the cells of a record. All values are text: nothing becomes a formula. */
export const cellsOf = (
  { cells }: ListExport,
  record: Record<string, unknown>,
  { columns, words, clock }: Pick<ExportOrder, 'columns' | 'words' | 'clock'>,
): (string | number)[] =>
  columns.map(({ key, words: own }) => {
    const held = cell(cells[key]!, record, (v) => own?.[v] ?? words?.[v] ?? v, clock as Clock);
    return typeof held === 'string' ? writtenText(held) : held;
  });

function cell(
  { kind, value }: ExportCell,
  record: Record<string, unknown>,
  word: (value: string) => string,
  clock: Clock | undefined,
): string | number {
  const held = value(record);
  if (held === null || held === undefined) return '';
  switch (kind) {
    case 'number':
      return Number(held);
    case 'moment':
      return clock ? renderTime(String(held), clock) : String(held);
    case 'word':
      return word(String(held));
    case 'names':
      return namesText((held as string[]).map(word));
    default:
      return String(held);
  }
}
