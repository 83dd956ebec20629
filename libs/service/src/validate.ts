import { z } from 'zod';
import { isErrorKey, type ErrorKey } from '@carillon/contracts/errors';
import type { RouteDefinition, RouteInput } from '@carillon/contracts';
import { isPrinted } from '@carillon/contracts/routes';
import { Failure, type FieldFailure } from './failure.ts';

type Issue = z.core.$ZodIssue;

/**
 * Returns the error key of an issue. A schema may name its error as the message (`z.regex(…, 'device.macFormat')`);
 * otherwise the issue's code decides.
 */
function keyOf(issue: Issue): ErrorKey {
  if (isErrorKey(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'common.fieldRequired' : 'common.fieldType';
    case 'too_small':
      return 'common.fieldTooShort';
    case 'too_big':
      return 'common.fieldTooLong';
    case 'unrecognized_keys':
      return 'common.fieldUnknown';
    case 'invalid_format':
      return 'common.fieldFormat';
    default:
      return 'common.fieldValue';
  }
}

/** Converts issues of a schema to field failures; `at` is the part of the request, `body` by default. */
export function fieldsOf(issues: readonly Issue[], at: string): FieldFailure[] {
  return issues.slice(0, 50).flatMap((issue) => {
    const path = [
      ...(at === 'body' ? [] : [at]),
      ...issue.path.map(String),
      ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []),
    ]
      .join('.')
      .slice(0, 256);
    const values =
      'minimum' in issue
        ? { minimum: String(issue.minimum) }
        : 'maximum' in issue
          ? { maximum: String(issue.maximum) }
          : {};
    return [{ path, error: keyOf(issue), values }];
  });
}

/** Most levels below a field that accepts any value (a task's parameters). */
const deepest = 32;

/**
 * Returns the path of a value that no column can store: NUL, which PostgreSQL refuses, or a lone surrogate, which is
 * not UTF-8. Also of a value that is nested too deeply: a hundred thousand levels overflow the stack.
 */
function unstorable(value: unknown, path: string, level = 0): string | undefined {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > deepest) return path;
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const found = unstorable(key, at) ?? unstorable(item, at, level + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const beyondAscii = /[^\0-\x7F]/;
/** A password counts as it is typed: its client has hashed the same characters. */
const asTyped = /password|secret/i;

/**
 * Composes the texts of a request (Unicode NFC), so that one name has one form: a Mac writes file names decomposed, and
 * most keyboards type them composed.
 */
function compose(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return beyondAscii.test(value) ? value.normalize('NFC') : value;
  if (typeof value !== 'object' || value === null || level > deepest) return value;
  for (const [key, item] of Object.entries(value)) {
    if (asTyped.test(key)) continue;
    const composed = compose(item, level + 1);
    if (composed !== item) (value as Record<string, unknown>)[key] = composed;
  }
  return value;
}

const strict = new WeakMap<RouteDefinition, z.ZodType>();

/** Returns the schema of a query, which refuses unknown parameters: a misspelt filter would list everything. */
function queryOf(route: RouteDefinition): z.ZodType | undefined {
  if (isPrinted(route) || route.query?.def.catchall) return route.query;
  let schema = strict.get(route);
  if (!schema) strict.set(route, (schema = (route.query ?? z.object({})).strict()));
  return schema;
}

/** Returns all parts of a request that a handler may see, or throws a 400 that names each invalid field. */
export function validate<R extends RouteDefinition>(
  route: R,
  request: { params: unknown; query: unknown; body: unknown },
): RouteInput<R> {
  const input: Record<string, unknown> = {};
  const fields: FieldFailure[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = part === 'query' ? queryOf(route) : route[part];
    if (!schema) continue;
    const result = schema.safeParse(compose(part === 'body' ? request.body : (request[part] ?? {})));
    const broken = result.success ? unstorable(result.data, part === 'body' ? '' : part) : undefined;
    if (broken !== undefined && part !== 'params')
      fields.push({ path: broken.replaceAll('\u0000', '').toWellFormed().slice(0, 256), error: 'common.fieldFormat' });
    else if (result.success && broken === undefined) input[part] = result.data;
    // A path that cannot name anything is 404, not 400 (the same response as for a foreign id).
    else if (part === 'params') throw new Failure('common.notFound');
    else fields.push(...fieldsOf(result.error!.issues, part));
  }
  if (fields.length > 0)
    throw new Failure(
      fields.length === 1 && !fields[0]!.error.startsWith('common.') ? fields[0]!.error : 'common.invalid',
      {},
      fields,
    );
  return input as unknown as RouteInput<R>;
}
