import { z } from 'zod';
import { isErrorKey, type ErrorKey } from '@carillon/contracts/errors';
import type { RouteDefinition, RouteInput } from '@carillon/contracts';
import { isPrinted } from '@carillon/contracts/routes';
import { Failure, type FieldFailure } from './failure.ts';

type Issue = z.core.$ZodIssue;

/**
 * A schema may name its error as the message (`z.regex(…, 'device.macFormat')`); the others follow from the issue's
 * kind.
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

/** What a schema found, field by field; `at` is the part of the request, `body` when it goes without saying. */
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

/** Levels below a field that takes anything (a task's parameters). */
const deepest = 32;

/**
 * Where a text holds what no column can: NUL, which PostgreSQL refuses, or half a surrogate pair, which is no UTF-8. Or
 * where it goes deeper than anything that is meant: a hundred thousand levels overflow the stack of whoever walks them.
 */
function unstorable(value: unknown, path: string, level = 0): string | undefined {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > deepest) return path;
  for (const [key, of] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const found = unstorable(key, at) ?? unstorable(of, at, level + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const strict = new WeakMap<RouteDefinition, z.ZodType>();

/** A query may have nothing that its call does not know: a misspelt filter would list everything. */
function queryOf(route: RouteDefinition): z.ZodType | undefined {
  if (isPrinted(route) || route.query?.def.catchall) return route.query;
  let schema = strict.get(route);
  if (!schema) strict.set(route, (schema = (route.query ?? z.object({})).strict()));
  return schema;
}

/** Everything a handler may see of a request, or a 400 that names each faulty field. */
export function validate<R extends RouteDefinition>(
  route: R,
  request: { params: unknown; query: unknown; body: unknown },
): RouteInput<R> {
  const input: Record<string, unknown> = {};
  const fields: FieldFailure[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = part === 'query' ? queryOf(route) : route[part];
    if (!schema) continue;
    const result = schema.safeParse(part === 'body' ? request.body : (request[part] ?? {}));
    const broken = result.success ? unstorable(result.data, part === 'body' ? '' : part) : undefined;
    if (broken !== undefined && part !== 'params')
      fields.push({ path: broken.replaceAll('\u0000', '').toWellFormed().slice(0, 256), error: 'common.fieldFormat' });
    else if (result.success && broken === undefined) input[part] = result.data;
    // A path that cannot name anything names nothing: 404, not 400 (same answer as for a foreign id).
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
