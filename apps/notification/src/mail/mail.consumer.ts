import { Controller } from '@nestjs/common';
import { mailRequest, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { afterCommit } from '@carillon/persistence';
import { insertMails } from './mail.queries.ts';
import { MailSender } from './mail.service.ts';

/** Stores requested mails, still sealed, before any is sent. */
@Controller()
export class MailConsumer {
  constructor(private readonly sender: MailSender) {}

  @On(mailRequest, ['request'])
  async take(messages: Message<typeof mailRequest>[]): Promise<void> {
    await insertMails(
      messages.flatMap(({ id, at, companyId, data }) =>
        data && companyId
          ? [
              {
                id,
                companyId,
                template: data.template,
                language: data.language,
                sealed: data.sealed,
                at: new Date(at),
                expiresAt: new Date(data.expiresAt),
                userId: data.about?.userId ?? null,
                orgIds: data.about?.orgIds ?? null,
              },
            ]
          : [],
      ),
    );
    afterCommit(() => this.sender.wake());
  }
}
