import { uplinkPayloads } from '@carillon/contracts/link';
import type { UplinkKind } from '@carillon/contracts/link';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asIs } from './as-is.ts';

const usual: Record<UplinkKind, unknown> = {
  hello: {
    model: 'X6',
    sn: 'SN1',
    firmware: '2.4.1',
    hardware: 'A',
    lte: '4G',
    ip: '10.0.0.7',
    uptime: 12.5,
    boot: 'power',
    capabilities: ['reboot', 'doorSync'],
    configVersion: '1',
    doorRevision: 4,
    trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  },
  state: {
    at: 1_790_000_000_000,
    calls: 2,
    dnd: 'on',
    certificate: true,
    lines: [
      { line: 1, account: '100', server: 'sip', status: 'registered' },
      { line: 2, status: 'failed' },
    ],
    doors: [{ door: 1, status: 'open' }],
    ip: '10.0.0.7',
  },
  event: { id: 'e1', at: 1, kind: 'tamper', detail: { deep: [1, null, 'x'] } },
  result: {
    id: '01920000-0000-7000-8000-000000000001',
    status: 'progress',
    progress: 50,
    code: 'x',
    message: 'half',
    data: { door: 1 },
    at: 5,
  },
  call: { id: 'c1', at: 1, report: 'VQSessionReport' },
  unlock: { log: 'l', seq: 0, at: 1, door: 2, method: 'card', credential: '7', outcome: 'denied', reason: 'expired' },
};

/**
 * Yields all variants of a value with one difference: missing, another type, another size, an additional key, at any
 * depth.
 */
function* variants(value: unknown): Iterable<unknown> {
  yield* [
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    65_536,
    NaN,
    '',
    'x',
    'x'.repeat(65),
    'x'.repeat(20_000),
    'a\0b',
    'half \ud83d',
    {},
    [],
    ['x'],
    [1],
    { __proto__: null },
    JSON.parse('{"__proto__":{"a":1}}'),
  ];
  if (Array.isArray(value)) {
    yield Array.from({ length: 65 }, () => value[0] as unknown);
    for (const [i, item] of value.entries()) for (const other of variants(item)) yield value.with(i, other);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, more: 1 };
    yield Object.assign(JSON.parse('{"__proto__":1}') as object, value);
    for (const [key, item] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      for (const other of variants(item)) yield { ...value, [key]: other };
    }
  }
}

describe.each(Object.keys(uplinkPayloads) as UplinkKind[])('a %s', (kind) => {
  const schema = uplinkPayloads[kind];
  const test = asIs(schema);
  it('is accepted without the schema in the form that devices send', () => expect(test(usual[kind])).toBe(true));
  it('is never accepted where the schema would refuse or change it', () => {
    const wrong: unknown[] = [];
    let taken = 0,
      tried = 0;
    for (const value of variants(usual[kind])) {
      tried++;
      if (!test(value)) continue;
      taken++;
      const result = schema.safeParse(value);
      if (!result.success || !isSame(result.data, value)) wrong.push(value);
    }
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(5);
    expect(tried - taken).toBeGreaterThan(50);
  });
});

const isSame = (a: unknown, b: unknown): boolean => {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
};

it('accepts nothing of schemas that it does not know', () => {
  for (const schema of [
    z.string().transform((s) => s),
    z.coerce.number(),
    z.string().refine((s) => s !== 'x'),
    z.string().trim(),
    z.record(z.string(), z.unknown()),
    z.union([z.string().transform((s) => s), z.string()]),
    z.strictObject({ a: z.date() }),
  ]) {
    for (const value of ['x', ' x ', 1, { a: 1 }, { a: 'x' }])
      if (asIs(schema)(value)) expect(schema.safeParse(value)).toEqual({ success: true, data: value });
  }
});
