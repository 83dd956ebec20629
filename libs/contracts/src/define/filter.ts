import { z } from 'zod';
import { filterSpans } from './constant.ts';
import { instant, many } from './list.ts';

/**
 * Filters of lists. A query parameter is a field, optionally with a dot and an operator:
 *
 * - `model=X7A`: is; `model.not=X7A`: is not, which includes an empty field
 * - `name.contains=desk`, case-insensitive
 * - `calls.from=1`, `calls.to=5`: both inclusive; for a time `to` is exclusive
 * - `createdAt.within=24h`: the last 24 hours at the time of the query
 * - `firmware.empty=true` or `false`
 *
 * Several values of one parameter are alternatives (a repeated key; SYS-06), and all parameters must hold. A
 * field without an operator has its meaning from before operators existed, so that old links keep working. The same
 * names are used in the console's address, in saved views, in the targets of tasks and in export orders.
 */
export type FieldFilter = Readonly<Partial<Record<Operator, z.ZodType>>>;
export const filterOperators = ['', '.not', '.contains', '.from', '.to', '.within', '.empty'] as const;
export type Operator = (typeof filterOperators)[number];

const yesOrNo = z.enum(['true', 'false']).optional();
const part = z.string().trim().min(1).max(128);
/** Most texts of one filter. Every row is searched for each of them. */
const mostTexts = 20;
/** Most texts of a filter that an earlier release stored. */
export const mostStoredTexts = 200;
/** Texts that a field contains, as alternatives. */
export const parts = <S extends z.ZodType>(item: S, most = mostTexts) => many(item, most);

/** A field that is one of some values. */
export const choice = <S extends z.ZodType>(item: S) => ({ '': many(item), '.not': many(item) });
export const flag = { '': many(z.enum(['true', 'false'])) };
export const text = (longest = 128, most = mostTexts) => ({
  ...choice(z.string().max(longest)),
  '.contains': parts(part, most),
});
const whole = z.coerce
  .number('common.fieldType')
  .int('common.fieldType')
  .min(-1_000_000_000)
  .max(1_000_000_000)
  .optional();
export const number = { '.from': whole, '.to': whole };
export const moment = {
  '.from': instant.optional(),
  '.to': instant.optional(),
  '.within': z.enum(Object.keys(filterSpans) as [keyof typeof filterSpans, ...(keyof typeof filterSpans)[]]).optional(),
};
/** Adds the operator `.empty` to a field. */
export const orEmpty = <F extends FieldFilter>(field: F) => ({ ...field, '.empty': yesOrNo });

type Parameter<F> = { [K in keyof F & string]: `${K}${keyof F[K] & string}` }[keyof F & string];
type Shape<F> = {
  [P in Parameter<F>]: P extends `${infer K}.${infer O}`
    ? F[K & keyof F][`.${O}` & keyof F[K & keyof F]]
    : F[P & keyof F]['' & keyof F[P & keyof F]];
};

/**
 * Returns the parameters of some fields, for the query of a list or a body: `z.object({ ...filters({ name: text() })
 * })`.
 */
export const filters = <const F extends Readonly<Record<string, FieldFilter>>>(fields: F): Shape<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, kind]) =>
      Object.entries(kind).map(([operator, schema]) => [`${field}${operator}`, schema]),
    ),
  ) as Shape<F>;
