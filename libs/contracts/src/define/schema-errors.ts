import type { z } from 'zod';
import { errorCatalogue, type ErrorKey } from '../errors.ts';

interface Definition {
  error?: (issue: { code: string }) => unknown;
  checks?: readonly Schema[];
  shape?: Readonly<Record<string, Schema>>;
  options?: readonly Schema[];
  items?: readonly Schema[];
  element?: Schema;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  keyType?: Schema;
  valueType?: Schema;
}
interface Schema {
  _zod?: { def: Definition };
}

/**
 * Returns the errors of the catalogue that a schema or a part of it names as its message. An issue that a transform
 * adds by itself is not found: its call declares the error.
 */
export function errorsOfSchema(schema: z.ZodType | undefined): Set<ErrorKey> {
  const found = new Set<ErrorKey>();
  const seen = new Set<Schema>();
  const visit = (part: Schema | undefined): void => {
    if (part?._zod === undefined || seen.has(part)) return;
    seen.add(part);
    const { def } = part._zod;
    const message = typeof def.error === 'function' ? def.error({ code: 'custom' }) : undefined;
    if (typeof message === 'string' && Object.hasOwn(errorCatalogue, message)) found.add(message as ErrorKey);
    for (const inner of [def.element, def.innerType, def.in, def.out, def.keyType, def.valueType]) visit(inner);
    for (const several of [def.checks, def.options, def.items, Object.values(def.shape ?? {})])
      for (const inner of several ?? []) visit(inner);
  };
  visit(schema as Schema | undefined);
  return found;
}
