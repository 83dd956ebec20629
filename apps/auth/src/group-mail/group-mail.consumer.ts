import { Controller, Inject } from '@nestjs/common';
import { mailGroup, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { CONFIG, requestMail } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { User } from '../user/user.entity.ts';

const recipient = columns(User, 'u', ['id', 'nickname', 'email', 'language', 'orgIds']);

/** Sends mails to groups of users, so that the requesting service needs no addresses. */
@Controller()
export class GroupMailConsumer {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  @On(mailGroup, ['alarms'])
  async alarms(messages: Message<typeof mailGroup>[]): Promise<void> {
    for (const { data } of messages) {
      if (!data) continue;
      const users = await currentSql().rows(
        recipient,
        `
          select ${recipient}
          from user_account u
          where u.email is not null
            and u.status = 'normal'
            and (u.all_orgs or $3::uuid = any (u.org_ids))
            and (
              u.id = any ($2::uuid[])
              or exists (select 1 from user_role r where r.user_id = u.id and r.role_id = any ($1::uuid[]))
            )
        `,
        [data.roleIds, data.userIds, data.orgId],
      );
      for (const { id, nickname, email, language, orgIds } of users)
        await requestMail(this.config.mailKey, {
          template: 'alarms',
          to: email!,
          language: language ?? 'en_US',
          data: { name: nickname, ...data.data },
          about: { userId: id, orgIds },
        });
    }
  }
}
