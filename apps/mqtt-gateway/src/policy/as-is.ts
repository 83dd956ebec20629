import type { z } from 'zod';

type Test = (value: unknown) => boolean;
interface Def {
  type: string;
  checks?: { _zod: { def: CheckDef } }[];
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  entries?: Record<string, string | number>;
  coerce?: boolean;
}
interface CheckDef {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: number;
  inclusive?: boolean;
  format?: string;
  pattern?: RegExp;
  abort?: boolean;
  tx?: (value: unknown) => unknown;
}

const never: Test = () => false;
const all = (tests: readonly Test[]): Test =>
  tests.length === 0 ? () => true : tests.length === 1 ? tests[0]! : (value) => tests.every((test) => test(value));

/**
 * Makes a test from a schema: true means that the schema would accept the value and return it unchanged; false means
 * that the schema decides. Devices' messages nearly always match their contract, and Zod's copying was a third of the
 * cost of a message (bench mqtt-gateway). Unknown schemas never return true.
 */
export function asIs(schema: z.core.$ZodType): Test {
  // oxlint-disable-next-line no-underscore-dangle -- Zod's published way to look into a schema
  const def = schema._zod.def as unknown as Def;
  const own = testOf(def);
  // A format such as z.uuid() is itself a check.
  const checks = [
    ...((def as unknown as CheckDef).check === undefined ? [] : [def as unknown as CheckDef]),
    ...(def.checks ?? []).map((check) => check._zod.def),
  ].map(checkOf);
  return def.coerce === true || own === never || checks.includes(never) ? never : all([own, ...checks]);
}

function testOf(def: Def): Test {
  switch (def.type) {
    case 'string':
      return (value) => typeof value === 'string';
    case 'number':
      return (value) => typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'unknown':
      return (value) => value !== undefined;
    case 'enum': {
      const known = new Set<unknown>(Object.values(def.entries!));
      return (value) => known.has(value);
    }
    case 'optional': {
      const inner = asIs(def.innerType!);
      return (value) => value === undefined || inner(value);
    }
    case 'catch':
      return asIs(def.innerType!);
    case 'union': {
      const options = def.options!.map(asIs);
      // The first option that accepts decides, so an option that might change the value rules out this shortcut.
      return options.includes(never) ? never : (value) => options.some((option) => option(value));
    }
    case 'array': {
      const element = asIs(def.element!);
      return (value) => {
        if (!Array.isArray(value)) return false;
        for (const one of value) if (!element(one)) return false;
        return true;
      };
    }
    case 'object':
      return objectOf(def.shape!);
    default:
      return never;
  }
}

/** Objects with unknown keys go to the schema, which drops or refuses them. */
function objectOf(shape: Record<string, z.core.$ZodType>): Test {
  const tests = new Map(Object.entries(shape).map(([key, schema]) => [key, asIs(schema)]));
  const needed = Object.entries(shape)
    .filter(([, schema]) => !schema._zod.optin)
    .map(([key]) => key);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const key in value) {
      const test = tests.get(key);
      if (test === undefined || !test((value as Record<string, unknown>)[key])) return false;
    }
    for (const key of needed) if ((value as Record<string, unknown>)[key] === undefined) return false;
    return true;
  };
}

function checkOf({ check, minimum, maximum, value: bound, inclusive, format, pattern, tx }: CheckDef): Test {
  const length = (value: unknown): number => (value as { length: number }).length;
  switch (check) {
    case 'min_length':
      return (value) => length(value) >= minimum!;
    case 'max_length':
      return (value) => length(value) <= maximum!;
    case 'greater_than':
      return (value) => (inclusive === true ? (value as number) >= bound! : (value as number) > bound!);
    case 'less_than':
      return (value) => (inclusive === true ? (value as number) <= bound! : (value as number) < bound!);
    case 'number_format':
      return format === 'safeint' ? Number.isSafeInteger : never;
    case 'string_format':
      return pattern === undefined || pattern.global ? never : (value) => pattern.test(value as string);
    case 'overwrite':
      return (value) => tx!(value) === value;
    default:
      return never;
  }
}
