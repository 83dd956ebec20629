import { randomUUID } from 'node:crypto';
import { fillPath, toQuery } from '@carillon/contracts';
import { isErrorKey } from '@carillon/contracts/errors';
import { isPrinted, type NamedRoute } from '@carillon/contracts/routes';
import { changed, inputSchema, placesOf, sampleOf, type JsonSchema } from './sample.ts';

export interface BadRequest {
  title: string;
  method: string;
  /** Path with query. */
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Whether the request matches the contract: it is unusual, but not invalid. */
  fits: boolean;
}

const json = { 'content-type': 'application/json' };

/** Bodies that are invalid for every call (docs/attack-cases.md, C1, C5, C7). */
const senseless: [string, string | Buffer][] = [
  ['half an object', '{'],
  ['no value', ' '],
  ['two values', '{}{}'],
  ['a comment', '{/**/}'],
  ['a single quote', "{'a':1}"],
  ['NaN', '{"a":NaN}'],
  ['a trailing comma', '{"a":1,}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ['a prototype', '{"__proto__":{"polluted":1}}'],
  ['a constructor', '{"constructor":{"prototype":{"polluted":1}}}'],
  ['20,000 brackets', '['.repeat(20_000)],
  ['20,000 closed brackets', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['form fields', 'a=b&c=d'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a string', '"x"'],
  ['a number', '1e400'],
  ['a boolean', 'true'],
];

/** Timestamps in a valid format that no column stores, or that later readers cannot parse. */
const noTimes = [
  '0001-01-01T00:00:00+14:00',
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+16:00',
  '2026-01-01T00:00:00-23:59',
  '9999-12-31T23:59:59-12:00',
];
/** Parameters that no call accepts. */
const unknown = ['unheardOf', 'search[$ne]', '__proto__', 'constructor'];

/** Returns values of wrong types, too long, too large, or dangerous for the code behind. */
function strange(schema: JsonSchema | undefined): [string, unknown][] {
  return [
    ['null', null],
    ['a list', [[]]],
    ['an object', { a: { b: 1 } }],
    ['an empty string', ''],
    ['a boolean', true],
    ['a negative number', -1],
    ['a huge number', 1e308],
    ['a fraction', 0.5],
    ['more than a safe integer', Number.MAX_SAFE_INTEGER + 2],
    ['a NUL', 'a\u0000b'],
    ['a lone surrogate', '\ud800'],
    ['SQL', `'); drop table device;--`],
    ['a path', '../../etc/passwd'],
    ['an operator', { $ne: null }],
    ['raw SQL', { __raw: true, sql: '1' }],
    ...noTimes.map((time): [string, unknown] => [time, time]),
    ['a very long string', 'x'.repeat((schema?.maxLength ?? 20_000) + 1)],
    [
      'a list that is too long',
      Array.from({ length: Math.min((schema?.maxItems ?? 1_000) + 1, 12_000) }, () => randomUUID()),
    ],
  ];
}

/** Returns bodies that two parsers read differently: with a duplicate key, or with a byte order mark. */
function ambiguous(sample: unknown): [string, string][] {
  const text = JSON.stringify(sample);
  const [first] = Object.entries((sample ?? {}) as object);
  return [
    ['a mark before it', `\ufeff${text}`],
    ...(first && !Array.isArray(sample)
      ? ([
          ['a key twice', `${text.slice(0, -1)},${JSON.stringify(first[0])}:${JSON.stringify(first[1])}}`],
          [
            'a key twice, written otherwise',
            `${text.slice(0, -1)},"\\u${first[0].charCodeAt(0).toString(16).padStart(4, '0')}${first[0].slice(1)}":null}`,
          ],
        ] as [string, string][])
      : []),
  ];
}

function schemaAt(schema: JsonSchema | undefined, path: readonly (string | number)[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, key) =>
      typeof key === 'number'
        ? at?.items
        : (at?.properties ?? at?.anyOf?.find((s) => s.properties?.[key])?.properties)?.[key],
    schema,
  );
}

function bodiesOf({ route }: NamedRoute): { title: string; text: string | Buffer; fits: boolean }[] {
  if (!route.body) return [];
  const schema = inputSchema(route.body);
  const sample = sampleOf(schema);
  const fits = (value: unknown): boolean => route.body!.safeParse(JSON.parse(JSON.stringify(value) ?? 'null')).success;
  const mutated = placesOf(sample)
    .filter((path) => path.length > 0)
    .flatMap((path) => [
      ...strange(schemaAt(schema, path)).map(([what, to]) => ({
        title: `${path.join('.')}: ${what}`,
        value: changed(sample, path, to),
      })),
      { title: `${path.join('.')}: missing`, value: changed(sample, path, undefined, true) },
    ]);
  const more = [...mutated, { title: 'a field too many', value: { ...(sample as object), unheardOf: 1 } }];
  return [
    ...senseless.map(([title, text]) => ({
      title,
      text,
      fits: Buffer.isBuffer(text) ? false : parses(text, (v) => route.body!.safeParse(v ?? undefined).success),
    })), // null is no body
    ...ambiguous(sample).map(([title, text]) => ({ title, text, fits: false })),
    ...more.map(({ title, value }) => ({ title, text: JSON.stringify(value), fits: fits(value) })),
  ];
}

function parses(text: string, check: (value: unknown) => boolean): boolean {
  try {
    return check(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Generates requests from a call's contract that it must refuse or at least survive, with one change at each place of
 * path, query and body.
 */
export function badRequests(named: NamedRoute): BadRequest[] {
  const { route } = named;
  const good = {
    params: sample(route.params),
    query: {} as Record<string, unknown>,
    body: route.body ? JSON.stringify(sampleOf(inputSchema(route.body))) : undefined,
  };
  const base = { method: route.method, headers: good.body ? json : ({} as Record<string, string>) };
  const url = (params = good.params, query: Record<string, unknown> = good.query): string =>
    fillPath(route.path, params) + toQuery(query);
  const withBody = good.body === undefined ? {} : { body: good.body };
  const paths = Object.keys(good.params).flatMap((name) =>
    ['x', '..', '\u0000', "'", '%', 'ä'.repeat(80), '0'.repeat(300)].map((value): BadRequest => ({
      ...base,
      ...withBody,
      title: `path ${name}: ${value.slice(0, 8)}`,
      url: url({ ...good.params, [name]: value }),
      fits: route.params!.safeParse({ ...good.params, [name]: value }).success,
    })),
  );
  const names = route.query ? Object.keys(route.query.shape) : [];
  const queries = names.flatMap((name) =>
    [
      '',
      'x',
      '-1',
      '0',
      '1e9',
      '1;drop',
      'x'.repeat(300),
      '\u0000',
      '[]',
      '{"a":1}',
      ['a', 'b'],
      ...noTimes,
      Array.from({ length: 201 }, () => 'x'),
    ].map((value): BadRequest => ({
      ...base,
      ...withBody,
      title: `query ${name}: ${String(value).slice(0, 12)}`,
      url: url(good.params, { [name]: value }),
      fits: route.query!.safeParse(value === '' ? {} : { [name]: value }).success,
    })),
  );
  const strangers = unknown.map((name): BadRequest => ({
    ...base,
    ...withBody,
    title: `query ${name}`,
    url: url(good.params, { [name]: 'x' }),
    fits: isPrinted(route) || route.query?.def.catchall !== undefined,
  }));
  const bodies = bodiesOf(named).map(({ title, text, fits }): BadRequest => ({
    title: `body ${title}`,
    method: route.method,
    url: url(),
    headers: json,
    body: text,
    fits,
  }));
  return [...paths, ...queries, ...strangers, ...bodies];
}

function sample(params: NamedRoute['route']['params']): Record<string, unknown> {
  return params ? (sampleOf(inputSchema(params)) as Record<string, unknown>) : {};
}

/**
 * Returns what is wrong with the answer to a bad request, or undefined. It must never be 5xx, and a 4xx must name an
 * error of the catalogue.
 */
export function wrongAnswer(request: BadRequest, answer: { status: number; body: unknown }): string | undefined {
  const { error, code } = (answer.body ?? {}) as { error?: string; code?: number };
  const failure = `${request.title} (${request.method} ${request.url.slice(0, 80)}): ${answer.status} ${error ?? ''}`;
  if (answer.status >= 500) return failure;
  if (answer.status < 400) return request.fits ? undefined : `${failure}, though it does not fit the contract`;
  if (error === undefined || !isErrorKey(error) || code !== answer.status)
    return `${failure}, which is no error of the catalogue`;
  return undefined;
}
