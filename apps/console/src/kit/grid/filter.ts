import type { filterSpans } from '@carillon/contracts/constants';
import type { ListState, Values } from './search.ts';

/** What a filter's field holds: which operators it has follows from this. */
export type FilterKind = 'choice' | 'flag' | 'text' | 'number' | 'moment' | 'typed' | 'part';
/** How a filter asks. Both ends of a range are one, with two parameters. */
export type FilterOperator = 'is' | 'not' | 'contains' | 'within' | 'range' | 'empty';
export type Span = keyof typeof filterSpans;
export const spans = ['1h', '24h', '7d', '30d'] as const satisfies readonly Span[];

export interface FilterField {
  key: string;
  kind: FilterKind;
  /** Records may have nothing there. */
  empties?: boolean | undefined;
  /** Values to choose from; a text without any is typed. */
  options: readonly { value: string }[];
}

const operators: Readonly<Record<FilterKind, readonly FilterOperator[]>> = {
  choice: ['is', 'not'],
  flag: ['is'],
  text: ['is', 'not', 'contains'],
  number: ['range'],
  moment: ['within', 'range'],
  typed: ['is'],
  part: ['contains'],
};
/** Their parameters in the address and in the calls, behind the field's key (contracts, define/filter.ts). */
const parameters: Readonly<Record<FilterOperator, readonly string[]>> = {
  is: [''],
  not: ['.not'],
  contains: ['.contains'],
  within: ['.within'],
  range: ['.from', '.to'],
  empty: ['.empty'],
};

export const operatorsOf = ({ kind, empties }: Pick<FilterField, 'kind' | 'empties'>): readonly FilterOperator[] =>
  empties ? [...operators[kind], 'empty'] : operators[kind];

/** How a new filter asks: what there is to choose from is chosen, the rest typed. */
export const firstOperator = (field: FilterField): FilterOperator =>
  field.kind === 'text' && field.options.length === 0 ? 'contains' : operators[field.kind][0]!;

const allowed = (kind: FilterKind, parameter: string, values: readonly string[] | undefined): Values => {
  switch (parameter) {
    case '.empty':
      return ['true', 'false'];
    case '.within':
      return spans;
    case '.from':
    case '.to':
      return kind === 'moment' ? (v) => !Number.isNaN(Date.parse(v)) : (v) => /^-?\d{1,9}$/.test(v);
    default:
      return parameter === '.contains' ? undefined : values;
  }
};

/** Which parameters an address may have of a field, with the values that each may have. */
export const rulesOf = (
  field: Pick<FilterField, 'key' | 'kind' | 'empties'>,
  values: readonly string[] | undefined,
): [string, Values][] =>
  operatorsOf(field).flatMap((operator) =>
    parameters[operator].map((p): [string, Values] => [`${field.key}${p}`, allowed(field.kind, p, values)]),
  );

/** What an address said of a span before moments had operators. */
export const formerSpans: Readonly<Record<string, readonly [parameter: string, value: Span]>> = {
  'within=hour': ['at.within', '1h'],
  'within=day': ['at.within', '24h'],
  'within=week': ['at.within', '7d'],
  'within=month': ['at.within', '30d'],
};

/** An address with what it said in former words in those of now. */
export function inNewWords<S extends object>(search: S, former: typeof formerSpans = {}): S {
  const found = Object.entries(search).flatMap(([key, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((v) => former[`${key}=${v}`] ?? []),
  ) as string[];
  return found[0] === undefined ? search : { ...search, [found[0]]: found[1] };
}

type Filters = ListState<string>['filters'];

/** How a field is asked for in the address; more than one operator are more than one condition. */
export const asked = (field: FilterField, filters: Filters): readonly FilterOperator[] =>
  operatorsOf(field).filter((operator) => parameters[operator].some((p) => filters[`${field.key}${p}`] !== undefined));

/** The values of a field by one operator; of a range its two ends, the empty text for one that is open. */
export const valuesOf = (key: string, operator: FilterOperator, filters: Filters): string[] =>
  operator === 'range'
    ? parameters.range.map((p) => filters[`${key}${p}`]?.[0] ?? '')
    : (filters[`${key}${parameters[operator][0]!}`] ?? []);

/** The filters with other values of a field by one operator; without any, it is gone. */
export function withValues(
  filters: Filters,
  key: string,
  operator: FilterOperator,
  values: readonly string[],
): Filters {
  const next = { ...filters };
  for (const [i, p] of parameters[operator].entries()) {
    const own = operator === 'range' ? values.slice(i, i + 1).filter((v) => v !== '') : [...values];
    if (own.length > 0) next[`${key}${p}`] = own;
    else delete next[`${key}${p}`];
  }
  return next;
}
