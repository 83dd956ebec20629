import { Controller } from '@nestjs/common';
import { orgOrganization, orgTransfer, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { alphabetic, columns, currentSql } from '@carillon/persistence';
import { accessChanged } from '../user/access.publisher.ts';
import { moveDeletedUsers } from '../user/deleted-user.queries.ts';
import { User } from '../user/user.entity.ts';
import { lockUsers } from '../user/user.queries.ts';
import { OrganizationCopy } from './organization-copy.entity.ts';

const user = columns(User, 'u', ['id']);

/**
 * Copies organizations and updates access at once: users who see all organizations gain new ones, and nobody sees a
 * deleted one.
 */
@Controller()
export class OrganizationConsumer {
  @On(orgOrganization, ['organization'])
  async copy(messages: Message<typeof orgOrganization>[]): Promise<void> {
    await project(OrganizationCopy, messages, ({ companyId, name }) => ({ companyId, name }));
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    if (gone.length > 0)
      await lockUsers('(u.all_orgs or u.org_ids && $1::uuid[] or u.default_org_id = any ($1::uuid[]))', [gone]);
    const left =
      gone.length === 0
        ? []
        : await currentSql().rows(
            user,
            `
                update user_account u
                set org_ids = array(select o from unnest(org_ids) o where not o = any ($1::uuid[])),
                  default_org_id = coalesce(
                    (
                    select o
                    from unnest(org_ids) with ordinality x(o, n)
                    where not o = any ($1::uuid[])
                    order by n
                    limit 1
                  ),
                    (select id from organization_copy order by ${alphabetic('name')}, id limit 1), default_org_id
                  )
                where org_ids && $1::uuid[] or default_org_id = any ($1::uuid[])
                returning ${user}
              `,
            [gone],
          );
    const all = await currentSql().rows(user, `select ${user} from user_account u where u.all_orgs`);
    const ids = [...new Set([...left, ...all].map((u) => u.id))];
    if (ids.length > 0) await accessChanged(ids);
  }

  /** Moves the users of one organization to the other (ORG-01). */
  @On(orgTransfer, ['transfer'])
  async transfer(messages: Message<typeof orgTransfer>[]): Promise<void> {
    const from = messages.flatMap(({ data }) => (data ? [data.fromId] : []));
    await lockUsers('(u.org_ids && $1::uuid[] or u.default_org_id = any ($1::uuid[]))', [from]);
    for (const { data } of messages) {
      if (!data) continue;
      const rows = await currentSql().rows(
        user,
        `
          update user_account u
          set org_ids = array(select distinct x from unnest(array_replace(org_ids, $1::uuid, $2::uuid)) x),
            default_org_id = case when default_org_id = $1 then $2 else default_org_id end
          where $1 = any (org_ids) or default_org_id = $1
          returning ${user}
        `,
        [data.fromId, data.toId],
      );
      await moveDeletedUsers(data.fromId, data.toId);
      if (rows.length > 0) await accessChanged(rows.map((u) => u.id));
    }
  }
}
