import type { filterSpans } from '@carillon/contracts/constants';
import type { ListState, Values } from './search.ts';

/** Type of a filter's field, which determines its operators. */
export type FilterKind = 'choice' | 'flag' | 'text' | 'number' | 'moment' | 'typed' | 'part';
/** Operator of a filter. Both ends of a range are one operator with two parameters. */
export type FilterOperator = 'is' | 'not' | 'contains' | 'within' | 'range' | 'empty';
export type Span = keyof typeof filterSpans;
export const spans = ['1h', '24h', '7d', '30d'] as const satisfies readonly Span[];

export interface FilterField {
  key: string;
  kind: FilterKind;
  /** Records may have no value. */
  empties?: boolean | undefined;
  /** Values to choose from; a text field without any is typed. */
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
/** Parameters in the address and in calls, after the field's key (contracts, define/filter.ts). */
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

/** Returns the operator of a new filter: a choice when there are values, otherwise typed text. */
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

/** Returns the parameters that an address may have for a field, with their allowed values. */
export const rulesOf = (
  field: Pick<FilterField, 'key' | 'kind' | 'empties'>,
  values: readonly string[] | undefined,
): [string, Values][] =>
  operatorsOf(field).flatMap((operator) =>
    parameters[operator].map((p): [string, Values] => [`${field.key}${p}`, allowed(field.kind, p, values)]),
  );

/** Spelling of time spans in addresses from before operators existed. */
export const formerSpans: Readonly<Record<string, readonly [parameter: string, value: Span]>> = {
  'within=hour': ['at.within', '1h'],
  'within=day': ['at.within', '24h'],
  'within=week': ['at.within', '7d'],
  'within=month': ['at.within', '30d'],
};

/** Converts old parameters of an address to the current ones. */
export function inNewWords<S extends object>(search: S, former: typeof formerSpans = {}): S {
  const found = Object.entries(search).flatMap(([key, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((v) => former[`${key}=${v}`] ?? []),
  ) as string[];
  return found[0] === undefined ? search : { ...search, [found[0]]: found[1] };
}

type Filters = ListState<string>['filters'];

/** Returns the operators of a field in the address; several are several conditions. */
export const asked = (field: FilterField, filters: Filters): readonly FilterOperator[] =>
  operatorsOf(field).filter((operator) => parameters[operator].some((p) => filters[`${field.key}${p}`] !== undefined));

/** Returns the values of a field for an operator; for a range its two ends, with an empty text for an open one. */
export const valuesOf = (key: string, operator: FilterOperator, filters: Filters): string[] =>
  operator === 'range'
    ? parameters.range.map((p) => filters[`${key}${p}`]?.[0] ?? '')
    : (filters[`${key}${parameters[operator][0]!}`] ?? []);

/** Returns the filters with other values of a field for an operator; without values it is removed. */
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
