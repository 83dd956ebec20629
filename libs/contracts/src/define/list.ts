import { z } from 'zod';
import { defaultPageSize, pageSizes } from './constant.ts';

export { defaultPageSize, pageSizes };

/**
 * An array in a query is a repeated key (SYS-06); one value arrives as a plain string. An empty array, which
 * only a body can hold, is refused, so that it does not mean "all".
 */
export const many = <S extends z.ZodType>(item: S, most = 200) =>
  z.preprocess((v) => (v === undefined || Array.isArray(v) ? v : [v]), z.array(item).min(1).max(most)).optional();

/** `page` and `limit`, or `current` and `size`. A page past the end is empty; `total` is exact. */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  current: z.coerce.number().int().min(1).max(1_000_000).optional(),
  size: z.coerce.number().int().min(1).max(200).optional(),
};

export interface Page {
  page: number;
  limit: number;
}

/** Normalizes the two spellings of a page. */
export function toPage(q: {
  page?: number | undefined;
  limit?: number | undefined;
  current?: number | undefined;
  size?: number | undefined;
}): Page {
  return { page: q.page ?? q.current ?? 1, limit: q.limit ?? q.size ?? defaultPageSize };
}

export const listOf = <S extends z.ZodType>(record: S) =>
  z.object({ records: z.array(record), total: z.number().int(), current: z.number().int(), size: z.number().int() });

/** Declares the sort parameter. `-name` sorts in descending order. */
export const sortBy = <const F extends readonly [string, ...string[]]>(fields: F) =>
  z
    .enum(fields.flatMap((f) => [f, `-${f}`]) as [F[number] | `-${F[number]}`, ...(F[number] | `-${F[number]}`)[]])
    .optional();

export const id = z.uuid();

const earliest = Date.parse('1900-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59Z');
/**
 * An instant that every column, clock and page can hold: with a four-digit year and a valid offset (PostgreSQL accepts
 * no offset of 16 hours, and cannot return years BC).
 */
export const instant = z.iso.datetime({ offset: true }).refine((text) => {
  const at = Date.parse(text);
  return at >= earliest && at <= latest && !/[+-](1[5-9]|2\d):\d\d$/.test(text);
});
