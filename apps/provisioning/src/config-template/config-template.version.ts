import { type listConfigTemplateVersions, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { templateVersions } from '@carillon/contracts/constants';
import { columns, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { ConfigTemplate } from './config-template.entity.ts';
import { ConfigTemplateVersion } from './config-template-version.entity.ts';

type Versioned = Pick<ConfigTemplate, 'id' | 'companyId' | 'version' | 'values'> &
  Partial<Pick<ConfigTemplate, 'locked'>>;

/** Stores the version that a template has now, and forgets the oldest ones. */
export const keepVersion = (template: Versioned, reason: string, backTo: number | null = null): Promise<void> =>
  keepVersions([{ template, reason }], backTo);

/** Stores the version that each template has now, and forgets the oldest ones. */
export async function keepVersions(
  made: readonly { template: Versioned; reason: string }[],
  backTo: number | null = null,
): Promise<void> {
  const author = context().username;
  const madeAt = new Date().toISOString();
  for (const { template, reason } of made) {
    const { id: templateId, companyId, version, values, locked = [] } = template;
    const row = { id: uuidv7(), companyId, templateId, version, values, locked, author, reason, backTo, madeAt };
    currentEntities().create(ConfigTemplateVersion, row);
  }
  await currentEntities().flush();
  await currentSql().query(
    `
      delete from config_template_version v
      using config_template t
      where v.template_id = any($1) and t.id = v.template_id and v.version <= t.version - $2::int
    `,
    [made.map(({ template }) => template.id), templateVersions],
  );
}

/**
 * Stores the version that each template has before it changes, when it is not stored: it was made before versions were
 * kept.
 */
export async function keepFormer(ids: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      insert into config_template_version
        (id, company_id, template_id, version, "values", locked, author, reason, back_to, made_at)
      select n.id, t.company_id, t.id, t.version, t."values", t.locked, '', '', null, t.updated_at
      from unnest($1::uuid[], $2::uuid[]) n (template_id, id)
      join config_template t on t.id = n.template_id
      on conflict (template_id, version) do nothing
    `,
    [ids, ids.map(() => uuidv7())],
  );
}

/** SQL: the stored versions of a template, and the one that it has, which may not be stored. */
const versionsSql = `
  (
    select v.version, v."values", v.locked, v.author, v.reason, v.back_to, v.made_at
    from config_template_version v
    where v.template_id = $1
    union all
    select t.version, t."values", t.locked, '', '', null, t.updated_at
    from config_template t
    where t.id = $1
      and not exists (
        select 1 from config_template_version v where v.template_id = t.id and v.version = t.version
      )
  )
`;
const record = columns(ConfigTemplateVersion, 'v', [
  'version',
  'values',
  'locked',
  'author',
  'reason',
  'backTo',
  'madeAt',
]);

/** Returns the versions of a template, the newest first. */
export async function versionsOf({
  id,
  ...query
}: RouteInput<typeof listConfigTemplateVersions>['query']): Promise<RouteReturn<typeof listConfigTemplateVersions>> {
  return readPage({ query, record, from: `${versionsSql} v`, values: [id], order: 'v.version desc' });
}

/** Returns the values and locks of one version; undefined when it does not exist or is no longer kept. */
export async function contentOfVersion(
  id: string,
  version: number,
): Promise<Pick<ConfigTemplate, 'values' | 'locked'> | undefined> {
  const row = await currentEntities().findOne(ConfigTemplateVersion, { templateId: id, version });
  return row ? { values: row.values, locked: row.locked } : undefined;
}
