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
 * A test made from a schema once: true says that the schema would accept the value and give it back as it is. False
 * says nothing, the schema decides. A device's message is what the contract says nearly always, and a third of the cost
 * of taking it was Zod's making of a copy (bench mqtt-gateway). What is not known here is never true.
 */
export function asIs(schema: z.core.$ZodType): Test {
  // oxlint-disable-next-line no-underscore-dangle -- Zod's published way to look into a schema
  const def = schema._zod.def as unknown as Def;
  const own = testOf(def);
  // A format such as z.uuid() is a check of its own kind.
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
      // The first that accepts gives the answer: one that might change the value stands in the way of those behind it.
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

/** An unknown key is the schema's business: it leaves it out, or refuses. */
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
