import type { TextKey } from '../text/key.ts';
import { StateWord } from '../part/state.tsx';
import { count } from '../text/text.ts';
import { moment, zoneName } from '../text/time.ts';
import type { useText } from '../text/use-text.ts';
import type { Column, PhoneRow } from './grid.types.ts';
import type { ListColumn, ListRoute, RecordOf } from './list.types.ts';

type T = ReturnType<typeof useText>['t'];
/** Translates a key with values; the key is checked where it is declared, and the values do not depend on it. */
export const word = (t: T, key: TextKey, values: object = {}): string =>
  (t as (key: string, values: object) => string)(key, values);

/** Returns a column's value as plain text; empty without a value. */
function textOf<R extends ListRoute>(column: ListColumn<R>, record: RecordOf<R>, t: T): string {
  switch (column.type) {
    case 'number': {
      const value = column.value(record);
      return value === null ? '' : count(value);
    }
    case 'moment': {
      const value = column.value(record);
      return value === null ? '' : moment(value);
    }
    case 'word': {
      const value = column.value(record);
      return value === null ? '' : word(t, value);
    }
    case 'names':
      return column.value(record).join(', ');
    case 'state':
      return t(`state.${column.value(record)}`);
    default:
      return column.value(record) ?? '';
  }
}

const widths = { text: 200, code: 150, number: 100, moment: 164, word: 150, names: 120, state: 158 } as const;

/** Returns the columns of the grid, rendered by their types. */
export function gridColumns<R extends ListRoute>(
  columns: readonly ListColumn<R>[],
  t: T,
): readonly Column<RecordOf<R>>[] {
  return columns.map((column) => {
    const {
      key,
      title,
      type,
      width = widths[type],
      show,
      live,
      link,
      optional = false,
      fixed,
      sort,
      unwritten,
    } = column;
    const text = (record: RecordOf<R>) => textOf(column, record, t);
    const render = (record: RecordOf<R>) => {
      const shown = text(record) || '–';
      if (type === 'state') return <StateWord state={column.value(record)} />;
      return type === 'code' && shown !== '–' ? <code title={shown}>{shown}</code> : shown;
    };
    return {
      key,
      title: word(t, title),
      width,
      render: show ?? render,
      ...(type === 'moment' ? { hint: zoneName() } : {}),
      ...(type === 'number' ? { align: 'end' as const } : {}),
      ...(sort ? { sortable: true } : {}),
      ...(live ? { live: text } : {}),
      ...(link ? { link } : {}),
      ...(optional ? { optional: true as const } : {}),
      ...(fixed ? { fixed } : {}),
      ...(unwritten ? { unwritten } : {}),
    };
  });
}

/** Returns a record's row for a phone: its name, and the columns that are marked for it. */
export function phoneRow<R extends ListRoute>(
  columns: readonly ListColumn<R>[],
  drawn: readonly Column<RecordOf<R>>[],
  record: RecordOf<R>,
  title: string,
  t: T,
): PhoneRow {
  const at = (place: 'sub' | 'state' | 'extra') =>
    drawn[columns.findIndex((c) => c.phone === place)]?.render(record) ?? null;
  const sub = columns.find((c) => c.phone === 'sub');
  return {
    title,
    sub: at('sub'),
    subText: sub && textOf(sub, record, t),
    state: at('state'),
    extra: at('extra'),
  };
}
