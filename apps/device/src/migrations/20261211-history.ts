import { Migration } from '@mikro-orm/migrations';

/** SQL: the name of a row of a copy; null for none, and for one that is gone or that the user does not see. */
const named = (table: string, id: string): string => `(select x.name from ${table} x where x.id = ${id})`;
const change = (from: string, to: string): string => `jsonb_build_object('from', ${from}, 'to', ${to})`;
const groups = (row: string): string =>
  `(select coalesce(jsonb_agg(g.name order by g.name), '[]') from device_group g where g.id = any (${row}.group_ids))`;

/** Columns whose changes are entries, with the names of the fields and the values that are shown. */
const fields: readonly (readonly [column: string, field: string, shown: (row: string) => string])[] = [
  ['name', 'name', (row) => `${row}.name`],
  ['model', 'model', (row) => `${row}.model`],
  ['sn', 'sn', (row) => `${row}.sn`],
  ['server_id', 'sipServer', (row) => named('server_copy', `${row}.server_id`)],
  ['enabled', 'access', (row) => `${row}.enabled`],
  ['tags', 'tags', (row) => `${row}.tags`],
  ['group_ids', 'groups', groups],
];
const changed = fields.map(
  ([column, field, shown]) => `
    if new.${column} is distinct from old.${column} then
      detail := detail || jsonb_build_object('${field}', ${change(shown('old'), shown('new'))});
    end if;
  `,
);
const moved = `
  if new.org_id <> old.org_id then
    detail := detail || jsonb_build_object('organization', ${change(
      named('organization_copy', 'old.org_id'),
      named('organization_copy', 'new.org_id'),
    )});
  end if;
  if new.site_id is distinct from old.site_id then
    detail := detail || jsonb_build_object('site', ${change(
      named('site_copy', 'old.site_id'),
      named('site_copy', 'new.site_id'),
    )});
  end if;
`;
const number = (column: string): string => `(select a.number from account_copy a where a.id = ${column})`;
const accounts = `
  insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
  select gen_random_uuid(), new.company_id, new.org_id, new.id, new.mac, now(), 'account',
    who || jsonb_build_object('line', coalesce(n.line, o.line), 'from', ${number('o."accountId"')}, 'to', ${number('n."accountId"')})
  from jsonb_to_recordset(old.accounts) as o(line int, "accountId" uuid)
  full join jsonb_to_recordset(new.accounts) as n(line int, "accountId" uuid) on n.line = o.line
  where n."accountId" is distinct from o."accountId";
`;
const put = (kind: string, detail: string): string => `
  insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
  values (gen_random_uuid(), new.company_id, new.org_id, new.id, new.mac, now(), ${kind}, who || ${detail});
`;
const watched = [...fields.map(([column]) => column), 'org_id', 'site_id', 'accounts', 'secret_hash'];

/** Logs what users and the platform change of a device, whichever statement does it, with the name of the user. */
export class Migration20261211DeviceHistory extends Migration {
  override up(): void {
    this.addSql(`
      create function device_history_keep() returns trigger language plpgsql as $$
      declare
        who jsonb := jsonb_strip_nulls(jsonb_build_object('by', nullif(current_setting('app.username', true), '')));
        detail jsonb := '{}';
        kind text := 'added';
      begin
        if tg_op = 'INSERT' then
          -- A restored device has its former id, so that its log goes on.
          if new.created_at < now() - interval '1 second' or exists (
            select from device_log l where l.device_id = new.id
          ) then
            kind := 'restored';
          end if;
          ${put(`kind`, `'{}'`)}
          return null;
        end if;
        ${moved}
        if detail <> '{}' then ${put(`'moved'`, 'detail')} end if;
        detail := '{}';
        ${changed.join('')}
        if detail <> '{}' then ${put(`'changed'`, 'detail')} end if;
        if new.accounts <> old.accounts then ${accounts} end if;
        if new.secret_hash <> old.secret_hash then ${put(`'secret'`, `'{}'`)} end if;
        return null;
      end $$
    `);
    this.addSql(
      'create trigger "device_history_add" after insert on "device" for each row execute function device_history_keep()',
    );
    this.addSql(`
      create trigger "device_history_change" after update of ${watched.join(', ')} on "device"
      for each row
      when ((${watched.map((column) => `old.${column}`).join(', ')})
        is distinct from (${watched.map((column) => `new.${column}`).join(', ')}))
      execute function device_history_keep()
    `);
  }
}
