import { z } from 'zod';
import type { RouteDefinition } from '@carillon/contracts';

/** Every filter without values of its own accepts one of these. */
const samples = [
  '1h',
  '2026-11-20T10:00:00Z',
  '019a0000-0000-7000-8000-000000000001',
  '0c383e557eb1',
  '1',
  'true',
  'a',
] as const;

/** Returns the values that a parameter accepts: its enum, or a sample. */
function valuesOf(schema: z.ZodType): string[] {
  const named = /"enum":\[("[^\]]*")\]/.exec(
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  );
  const values: readonly string[] = named ? (JSON.parse(`[${named[1]}]`) as string[]) : samples;
  return values.filter((value) => schema.safeParse(value).success).slice(0, named ? 3 : 1);
}

/**
 * Tests every filter of a list call and returns the faults: a filter that is refused, "is" and "is not" that do not add
 * up to all rows, and the same for "empty" and for "before", "after" and "never". It works with any rows.
 */
export async function filterFaults(
  route: RouteDefinition,
  ask: (query: Record<string, string>) => Promise<{ total: number }>,
): Promise<{ checked: string[]; faults: string[] }> {
  const shape = (route.query as z.ZodObject).shape as Record<string, z.ZodType>;
  const checked: string[] = [];
  const faults: string[] = [];
  const total = async (query: Record<string, string>): Promise<number> => {
    checked.push(...Object.keys(query));
    try {
      return (await ask(query)).total;
    } catch (error) {
      faults.push(`${JSON.stringify(query)}: ${String((error as { error?: string }).error ?? error)}`);
      return Number.NaN;
    }
  };
  const all = await total({});
  const must = (sum: number, ...queries: string[]): void => {
    if (sum !== all) faults.push(`${queries.join(' and ')}: ${sum} of ${all}`);
  };
  for (const [key, schema] of Object.entries(shape)) {
    const [, field, operator] = /^(\w+)\.(\w+)$/.exec(key) ?? [];
    if (field === undefined) continue;
    for (const value of valuesOf(schema)) {
      if (operator === 'not')
        must(
          (await total({ [field]: value })) + (await total({ [key]: value })),
          `${field}=${value}`,
          `${key}=${value}`,
        );
      else if (operator === 'empty') {
        if (value === 'true')
          must((await total({ [key]: 'true' })) + (await total({ [key]: 'false' })), `${key}=true`, `${key}=false`);
      } else if (operator === 'to' && `${field}.within` in shape) {
        const never = `${field}.empty` in shape ? await total({ [`${field}.empty`]: 'true' }) : 0;
        must(
          (await total({ [`${field}.from`]: value })) + (await total({ [key]: value })) + never,
          `${field}.from`,
          key,
        );
      } else await total({ [key]: value });
    }
  }
  return { checked: [...new Set(checked)], faults };
}
