/** The tables of targets that this service has copies of, by level. */
export const copies = {
  organization: 'organization_copy',
  site: 'site_copy',
  group: 'group_copy',
  device: 'device_copy',
} as const;

/** SQL: the name of what a template `t` is for. */
export const targetNameSql = `
  (case
    when t.level in ('model', 'series') then t.target
    ${Object.entries(copies)
      .map(
        ([level, table]) =>
          `when t.level = '${level}' then (select x.name from ${table} x where x.id = t.target::uuid)`,
      )
      .join('\n')}
  end)
`;
