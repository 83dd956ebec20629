import { fillPath, toQuery } from '@carillon/contracts';
import type { NamedRoute } from '@carillon/contracts/routes';
import { changed, inputSchema, placesOf, sampleOf, type JsonSchema } from './sample.ts';

/** A company's data, which no call of another company may return or change. */
export interface Belongings {
  /** Ids of its objects of all kinds. */
  ids: readonly string[];
  /** Names, addresses and numbers that no other company has. */
  marks: readonly string[];
}

export interface IsolationCase {
  title: string;
  method: string;
  url: string;
  body?: string;
}

/** Returns the calls with which another company could reach these objects: each id at every place that takes one. */
export function isolationCases({ name, route }: NamedRoute, { ids, marks }: Belongings): IsolationCase[] {
  const params = route.params ? Object.keys(route.params.shape) : [];
  const queries = route.query ? Object.keys(route.query.shape) : [];
  const bodySchema = route.body ? inputSchema(route.body) : undefined;
  const bodies = (id: string): unknown[] => (bodySchema ? bodiesWith(bodySchema, id) : [undefined]);
  const make = (
    title: string,
    path: Record<string, string>,
    query: Record<string, unknown>,
    body: unknown,
  ): IsolationCase => ({
    title: `${name} ${title}`,
    method: route.method,
    url: fillPath(route.path, path) + toQuery(query),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const byId = ids.flatMap((id) => {
    const path = Object.fromEntries(params.map((p) => [p, id]));
    return [
      ...bodies(id).map((body, i) => make(`with a foreign id${i > 0 ? ` (${i})` : ''}`, path, {}, body)),
      ...queries
        .filter((q) => fitsQuery(route, q, id))
        .map((q) => make(`asking ${q} for a foreign id`, path, { [q]: id }, bodies(id)[0])),
    ];
  });
  // Searches for a foreign object by its known names.
  const byMark =
    params.length > 0
      ? []
      : queries
          .filter((q) => q === 'search')
          .flatMap((q) => marks.map((mark) => make(`searching ${mark}`, {}, { [q]: mark }, undefined)));
  const plain = params.length > 0 || bodySchema ? [] : [make('as it is', {}, {}, undefined)];
  return [...plain, ...byId, ...byMark];
}

const fitsQuery = ({ query }: NamedRoute['route'], name: string, value: string): boolean =>
  query!.safeParse({ [name]: value }).success || query!.safeParse({ [name]: [value] }).success;

/** Returns sample bodies with the id at each place of a UUID, for each branch of a union. */
function bodiesWith(schema: JsonSchema, id: string): unknown[] {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  return branches(schema).map((branch) => {
    let body = sampleOf(branch);
    for (const path of placesOf(body)) {
      const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], body);
      if (typeof value === 'string' && uuid.test(value)) body = changed(body, path, id);
    }
    return body;
  });
}

function branches(schema: JsonSchema): JsonSchema[] {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.flatMap(branches);
  const property = Object.entries(schema.properties ?? {}).find(([, schemaOf]) => schemaOf.anyOf ?? schemaOf.oneOf);
  if (!property) return [schema];
  const [key, item] = property;
  return branches(item).map((branch) => ({ ...schema, properties: { ...schema.properties, [key]: branch } }));
}

export interface IsolationOptions extends Belongings {
  routes: readonly NamedRoute[];
  /** Calls as a user of another company with every permission. */
  ask(attempt: IsolationCase): Promise<{ status: number; text: string }>;
  /** Returns all data of the first company in a form that changes with it. */
  state(): Promise<string>;
}

/**
 * Calls every route as a stranger in every way. Returns what leaked or changed; nothing may (ASVS 8.4.1). A 5xx counts
 * too, because a policy that breaks a call is no refusal.
 */
export async function violations({ routes, ask, state, ...own }: IsolationOptions): Promise<string[]> {
  const found: string[] = [];
  let before = await state();
  for (const named of routes) {
    if (named.route.stream) continue;
    for (const one of isolationCases(named, own)) {
      const { status, text } = await ask(one);
      // An id from the request may appear in the response as an echo.
      const out = [...own.marks, ...own.ids.filter((id) => !one.url.includes(id) && !one.body?.includes(id))].filter(
        (mark) => text.includes(mark) && !one.url.includes(encodeURIComponent(mark)),
      );
      if (out.length > 0) found.push(`${one.title}: ${status} tells ${out.join(', ')}`);
      if (status >= 500) found.push(`${one.title}: ${status}`);
      if (status < 300 && named.route.params && own.ids.some((id) => one.url.includes(id)) && !isEmpty(text))
        found.push(`${one.title}: ${status} for a foreign id`);
    }
    const after = await state();
    if (after !== before) found.push(`${named.name}: changed what is not the caller's`);
    before = after;
  }
  return found;
}

/** Returns whether `data` is empty: null, no records, or a count of zero. */
function isEmpty(text: string): boolean {
  const { data } = JSON.parse(text) as { data?: unknown };
  const empty = (value: unknown): boolean =>
    value === null ||
    value === undefined ||
    value === 0 ||
    (Array.isArray(value)
      ? value.length === 0
      : typeof value === 'object' &&
        ('records' in value ? empty((value as { records: unknown }).records) : Object.values(value).every(empty)));
  return empty(data);
}
