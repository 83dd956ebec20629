import { currentSql } from '@carillon/persistence';
import { emitAudit, type AuditNote } from '@carillon/service/audit';

/**
 * Returns the organizations of these users, or all for a user who sees all. Log entries about them carry these, so that
 * users who do not see the organizations do not see the entries.
 */
export async function organizationsOf(userIds: readonly string[]): Promise<string[]> {
  const { rows } = await currentSql().query<{ id: string }>(
    `
      select distinct o as id
      from user_account u
      cross join lateral unnest(
        coalesce(
          nullif(
            case when u.all_orgs then array(
              select c.id from organization_copy c join user_account v on v.company_id = c.company_id where v.id = u.id
            ) else u.org_ids end,
            '{}'
          ),
          array[u.default_org_id]
        )
      ) o
      where u.id = any ($1::uuid[])
    `,
    [userIds],
  );
  return rows.map((r) => r.id);
}

/** Returns whom a mail is about. Runs in a transaction of the user's company. */
export const mailAbout = async (userId: string): Promise<{ userId: string; orgIds: string[] }> => ({
  userId,
  orgIds: await organizationsOf([userId]),
});

/** Writes a log entry about one user. Runs in a transaction of the user's company. */
export async function emitUserEntry(
  userId: string,
  action: string,
  result: string,
  note: Omit<AuditNote, 'orgIds'> = {},
): Promise<void> {
  await emitAudit(action, result, { objectId: userId, ...note, orgIds: await organizationsOf([userId]) });
}
