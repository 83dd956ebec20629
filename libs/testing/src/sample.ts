import { randomUUID } from 'node:crypto';
import { z } from 'zod';

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: boolean | JsonSchema;
  default?: unknown;
}

/** Returns a call's input as JSON Schema. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

/** Sample values by property name, for strings that their schema does not describe well enough. */
export type Named = Record<string, () => unknown>;
const known: Named = {
  mac: () => randomUUID().replaceAll('-', '').slice(0, 12),
  action: () => 'reboot',
  segments: () => '10.99.0.0/16',
  email: () => `${randomUUID()}@example.com`,
  password: () => 'Right-Secret-1',
  newPassword: () => 'Right-Secret-1',
  confirmation: () => 'Right-Secret-1',
};

/** Returns the smallest value that matches a schema, with every property. */
export function sampleOf(schema: JsonSchema, named: Named = known, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return sampleOf(either[0]!, named, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, property]) => [key, sampleOf(property, named, key)]),
    );
  if (type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => sampleOf(schema.items ?? {}, named, name));
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (named[name]) return named[name]();
  if (schema.format === 'uuid') return randomUUID();
  if (schema.format === 'date-time') return new Date().toISOString();
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

/** Returns the path of every place in a value. */
export function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, item]) =>
      placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** Returns a copy with one place changed, or removed with `remove`. */
export function changed(value: unknown, path: readonly (string | number)[], to: unknown, remove = false): unknown {
  if (path.length === 0) return to;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (!remove) at[last] = to;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy;
}
