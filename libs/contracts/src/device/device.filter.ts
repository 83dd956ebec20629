import type { DeviceFilter } from './device.schemas.ts';

/**
 * The filter of the device list as SQL over columns name, mac, sn, internal_ip, state, model, firmware, org_id, site_id
 * and group_ids of the alias `d`: one reading of it for the list, the counts and the target of a task, so that "all
 * that match" is the same devices everywhere. `add` takes a value and gives its placeholder.
 */
export function deviceFilterSql(
  filter: DeviceFilter,
  add: (value: unknown) => string,
  searchSql: typeof searchColumnsSql = searchColumnsSql,
): string {
  const parts: string[] = filter.search ? [searchSql(searchOf(filter.search), add)] : [];
  for (const [column, values] of [
    ['state', filter.state],
    ['model', filter.model],
    ['firmware', filter.firmware],
  ] as const) {
    if (values?.length) parts.push(`d.${column} = any(${add(values)}::text[])`);
  }
  if (filter.orgId?.length) parts.push(`d.org_id = any(${add(filter.orgId)}::uuid[])`);
  if (filter.site?.length) {
    const sites = `d.site_id = any(${add(filter.site.filter((s) => s !== 'none'))}::uuid[])`;
    parts.push(filter.site.includes('none') ? `(${sites} or d.site_id is null)` : sites);
  }
  if (filter.group?.length) {
    const groups = `d.group_ids && ${add(filter.group.filter((g) => g !== 'none'))}::uuid[]`;
    parts.push(filter.group.includes('none') ? `(${groups} or d.group_ids = '{}')` : groups);
  }
  return parts.length > 0 ? parts.join(' and ') : 'true';
}

/**
 * What is looked for: a text, and as a MAC in any spelling (DEV-03), also half typed. `%` and `_` are plain characters.
 */
export interface DeviceSearch {
  text: string;
  mac: string | null;
}

function searchOf(search: string): DeviceSearch {
  const hex = search.replace(/[:.\s-]/g, '').toLowerCase();
  return { text: search.replace(/[\\%_]/g, (c) => `\\${c}`), mac: /^[0-9a-f]{1,12}$/.test(hex) ? hex : null };
}

function searchColumnsSql({ text, mac }: DeviceSearch, add: (value: unknown) => string): string {
  const pattern = add(`%${text}%`);
  const macSql = mac === null ? '' : ` or d.mac like ${add(`%${mac}%`)}`;
  return `(d.name ilike ${pattern} or d.sn ilike ${pattern} or d.internal_ip ilike ${pattern}${macSql})`;
}

/**
 * A device is in exactly one state (DEV-11): not configured until a configuration was accepted; else abnormal while it
 * is online with a failed line or a failed configuration; else online or offline. First row that fits.
 */
export const deviceStateRules = [
  { state: 'notConfigured', when: 'not configured' },
  { state: 'abnormal', when: 'online and (failed_lines > 0 or config_failed)' },
  { state: 'online', when: 'online' },
  { state: 'offline', when: 'true' },
] as const;

/** The rules as an SQL expression over columns of the given prefix, for a generated column or a query. */
export function deviceStateSql(prefix: (column: string) => string = (c) => c): string {
  const prefixed = (when: string): string =>
    when.replace(/\b(configured|online|failed_lines|config_failed)\b/g, (c) => prefix(c));
  return `case ${deviceStateRules.map((r) => `when ${prefixed(r.when)} then '${r.state}'`).join(' ')} end`;
}
