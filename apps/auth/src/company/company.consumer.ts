import { Controller } from '@nestjs/common';
import { orgChannelAddress, orgCompany, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { endForOthers } from '../support-access/support-access.service.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { User } from '../user/user.entity.ts';
import { ChannelAddressCopy } from './channel-address-copy.entity.ts';
import { CompanyCopy } from './company.entity.ts';

const known = columns(CompanyCopy, 'c', ['status']);
const user = columns(User, 'u', ['id']);

/**
 * Copies the names and states of companies. A locked or deactivated company shuts its users out like a disabled account
 * (AUTH-06).
 */
@Controller()
export class CompanyConsumer {
  @On(orgCompany, ['company'])
  async copy(messages: Message<typeof orgCompany>[]): Promise<void> {
    for (const { data, version } of messages) {
      if (!data) continue;
      const [before] = await currentSql().rows(known, `select ${known} from company_copy c where c.id = $1`, [data.id]);
      await currentSql().query(
        `
          insert into company_copy as c (
            id, company_id, name, status, version, type, parent_id, create_sub_limit, fcs_limit, license_granting,
            fcs_enabled, local_sync, fcs_used
          )
          values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
          on conflict (id) do update set name = excluded.name, status = excluded.status, version = excluded.version,
            type = excluded.type, parent_id = excluded.parent_id, create_sub_limit = excluded.create_sub_limit,
            fcs_limit = excluded.fcs_limit, license_granting = excluded.license_granting,
            fcs_enabled = excluded.fcs_enabled, local_sync = excluded.local_sync, fcs_used = excluded.fcs_used
          where c.version < excluded.version
        `,
        [
          data.id,
          data.name,
          data.status,
          version ?? 0,
          data.type,
          data.parentId ?? null,
          data.createSubLimit ?? 0,
          data.fcsTotal ?? 0,
          data.licenseGranting ?? false,
          data.fcsEnabled,
          data.localSync ?? false,
          data.fcsUsed ?? 0,
        ],
      );
      await endForOthers(data.parentId ?? null);
      if ((before?.status ?? 'normal') === data.status) continue;
      // The policies of the company apply here, so this selects only its users.
      const users = await currentSql().rows(user, `select ${user} from user_account u`);
      await accessChanged(users.map((u) => u.id));
    }
  }

  @On(orgChannelAddress, ['channelAddress'])
  async copyAddresses(messages: Message<typeof orgChannelAddress>[]): Promise<void> {
    await project(ChannelAddressCopy, messages, ({ companyId }) => ({ companyId }));
  }
}
