import { Controller } from '@nestjs/common';
import { licenseConfig, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { afterCommit, currentDatabase, currentEntities, currentSql, platform } from '@carillon/persistence';
import { MailServer } from './mail-server.entity.ts';
import { MailSender } from './mail.service.ts';
import { mailsMayGo } from './mail.queries.ts';

/** Applies the operator's mail server (SYS-01) to the next mails, including waiting ones. */
@Controller()
export class MailServerConsumer {
  constructor(private readonly sender: MailSender) {}

  @On(licenseConfig, ['mailServer'])
  async take(messages: Message<typeof licenseConfig>[]): Promise<void> {
    for (const { key, data, version } of messages) {
      if (data === null) await currentEntities().nativeDelete(MailServer, { key });
      else {
        await currentSql().query(
          `
            insert into mail_server as m (key, server, version)
            values ($1, $2::jsonb, $3)
            on conflict (key) do update set server = excluded.server, version = excluded.version
            where m.version <= excluded.version
          `,
          [key, JSON.stringify(data), version ?? 0],
        );
      }
    }
    await platform(currentDatabase(), 'mails that waited for a mail server, of all companies', () => mailsMayGo());
    afterCommit(() => this.sender.wake());
  }
}
