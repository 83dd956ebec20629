import type { SettingValues } from '@carillon/contracts';
import { companySession, currentEntities, currentSql, Database, transaction, uuidv7 } from '@carillon/persistence';
import { ConfigTemplate } from '../config-template/config-template.entity.ts';

/** How long a seeded phone may need until it first asks. */
const openDays = 7;

/** Creates a template for a group of devices that do not exist yet, unless the group has one. */
export const seedGroupTemplate = (
  database: Database,
  companyId: string,
  { groupId, name, values }: { groupId: string; name: string; values: SettingValues },
): Promise<void> =>
  transaction(database, companySession(companyId), async () => {
    const group = { level: 'group' as const, target: groupId };
    if (await currentEntities().findOne(ConfigTemplate, group)) return;
    const template = { id: uuidv7(), companyId, name, description: '', ...group, values, locked: [], version: 1 };
    currentEntities().create(ConfigTemplate, template);
    await currentEntities().flush();
  });

/** Lets in the phones of seeded devices, which know only the server's address. */
export const seedFirstAccess = (database: Database, companyId: string, deviceIds: readonly string[]): Promise<void> =>
  transaction(database, companySession(companyId), async () => {
    await currentSql().query(
      `
        insert into first_access (id, company_id, open_until)
        select d.id, $1, now() + ${openDays} * interval '1 day' from unnest($2::uuid[]) as d(id)
        on conflict (id) do nothing
      `,
      [companyId, deviceIds],
    );
  });
