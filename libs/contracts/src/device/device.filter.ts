import {
  type Add,
  anyContains,
  containsPattern,
  filterBy,
  type FilterColumn,
  type FilterColumns,
  filterSql,
} from '../define/filter.sql.ts';
import type { DeviceFilter } from './device.schemas.ts';
import { macDigits } from './mac-digits.ts';

export { macDigits };

const { text, id, flag, moment } = filterBy;

/** Returns the states that a filter by the configuration means: drifted devices are behind, too. */
export const statesOfFilter = (values: readonly unknown[]): readonly unknown[] =>
  values.includes('behind') ? [...values, 'drifted'] : values;

/** Fields of the filter, over columns of the alias `d`. */
const columns = {
  state: text('d.state'),
  name: text('d.name'),
  model: text('d.model'),
  mac: text('d.mac'),
  sn: text('d.sn'),
  firmware: text('d.firmware'),
  internalIp: text('d.internal_ip'),
  orgId: id('d.org_id'),
  site: id('d.site_id', {
    any: (values, add) => {
      const sites = `d.site_id = any(${add(values.filter((v) => v !== 'none'))}::uuid[])`;
      return values.includes('none') ? `(${sites} or d.site_id is null)` : sites;
    },
  }),
  group: id(`nullif(d.group_ids, '{}')`, {
    any: (values, add) => {
      const groups = `d.group_ids && ${add(values.filter((v) => v !== 'none'))}::uuid[]`;
      return values.includes('none') ? `(${groups} or d.group_ids = '{}')` : groups;
    },
  }),
  tag: id(`nullif(d.tags, '{}')`, {
    any: (values, add) => {
      const pairs = values.map((v) => /^([^=]*)=(.*)$/s.exec(v as string));
      const keys = values.filter((_, i) => pairs[i] === null);
      const tags = pairs.flatMap((p) => (p ? [JSON.stringify({ [p[1]!]: p[2] })] : []));
      return `(${[
        ...(keys.length > 0 ? [`d.tags ?| ${add(keys)}::text[]`] : []),
        ...tags.map((tag) => `d.tags @> ${add(tag)}::jsonb`),
      ].join(' or ')})`;
    },
  }),
  enabled: flag('d.enabled'),
  config: text('d.config_state', {
    any: (values, add) => `d.config_state = any(${add(statesOfFilter(values))}::text[])`,
  }),
  lastOnlineAt: moment('d.seen_at'),
  onlineSince: moment('d.online_since'),
} satisfies FilterColumns;
export type DeviceFilterColumns = Readonly<Record<keyof typeof columns, FilterColumn>>;

/**
 * Returns the filter of the device list as SQL over the columns above. The list, the counts and the target of a task
 * share it, so that "all that match" means the same devices everywhere. A caller with a text index passes `reading`.
 */
export function deviceFilterSql(
  filter: DeviceFilter,
  add: Add,
  reading: { search?: typeof searchColumnsSql; columns?: Partial<DeviceFilterColumns> } = {},
): string {
  const { search = searchColumnsSql } = reading;
  const parts = [
    ...(filter.search ? [search(searchOf(filter.search), add)] : []),
    ...filterSql(filter, { ...columns, ...reading.columns }, add),
  ];
  return parts.length > 0 ? parts.join(' and ') : 'true';
}

/**
 * The time when a device was last seen, as SQL: infinity while it is online, so that sorting and ranges include it; and
 * since when it is online. Both use the presence and the time of its last change.
 */
export const seenSql = (online: string, at: string): string => `case when ${online} then 'infinity' else ${at} end`;
export const onlineSinceSql = (online: string, at: string): string => `case when ${online} then ${at} end`;

/**
 * A search text, and its reading as a MAC in any spelling (DEV-03), also a partial one. `%` and `_` are plain
 * characters.
 */
export interface DeviceSearch {
  pattern: string;
  mac: string | null;
}

function searchOf(search: string): DeviceSearch {
  const hex = macDigits(search);
  return { pattern: containsPattern(search), mac: /^[0-9a-f]{1,12}$/.test(hex) ? hex : null };
}

function searchColumnsSql({ pattern, mac }: DeviceSearch, add: Add): string {
  const found = anyContains(['d.name', 'd.sn', 'd.internal_ip'], add(pattern));
  return mac === null ? found : `(${found} or d.mac like ${add(`%${mac}%`)})`;
}

/** SQL: whether the name of `alias` contains the search, or its MAC does in any spelling. */
export function nameOrMacSql(alias: string, search: string, add: Add): string {
  const hex = macDigits(search);
  const named = anyContains([`${alias}.name`], add(containsPattern(search)));
  return hex === '' ? named : `(${named} or ${alias}.mac like ${add(containsPattern(hex))})`;
}

/**
 * A device is in exactly one state (DEV-11): not configured until it accepts a configuration; otherwise abnormal while
 * it is online with a failed line or a failed configuration; otherwise online or offline. The first matching rule
 * applies.
 */
export const deviceStateRules = [
  { state: 'notConfigured', when: 'not configured' },
  { state: 'abnormal', when: 'online and (failed_lines > 0 or config_failed)' },
  { state: 'online', when: 'online' },
  { state: 'offline', when: 'true' },
] as const;

/** SQL: the state of a device's configuration from the version that it is to have, which is not null (CFG-01). */
export const configStateSql = (wanted: string, reported: string, drifted: string): string =>
  `case when ${wanted} = ${reported} then 'current' when ${drifted} then 'drifted' else 'behind' end`;

/** Returns the rules as an SQL expression over prefixed columns, for a generated column or a query. */
export function deviceStateSql(prefix: (column: string) => string = (c) => c): string {
  const prefixed = (when: string): string =>
    when.replace(/\b(configured|online|failed_lines|config_failed)\b/g, (c) => prefix(c));
  return `case ${deviceStateRules.map((r) => `when ${prefixed(r.when)} then '${r.state}'`).join(' ')} end`;
}
