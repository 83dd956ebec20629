import { Controller, Inject } from '@nestjs/common';
import { message, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { CONFIG } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { noticesDue } from '../email-notice/email-notice.queries.ts';
import { WebhookEvents } from '../webhook/webhook.events.ts';
import { endMessages, storeMessages, type NewMessage } from './message.queries.ts';

/** Stores messages of services, one statement per batch of a company; a repeat is no second message. */
@Controller()
export class MessageConsumer {
  constructor(
    @Inject(CONFIG) private readonly config: NotificationConfig,
    private readonly webhooks: WebhookEvents,
  ) {}

  @On(message, ['message', 'ended'])
  async store(all: Message<typeof message>[]): Promise<void> {
    const messages = all.filter((one): one is NewMessage => one.type === 'message');
    await storeMessages(messages);
    await this.webhooks.messages(messages);
    await noticesDue(
      messages.flatMap(({ data }) => (data ? [{ kind: data.type, level: data.level, orgId: data.orgId }] : [])),
      { gatherMs: this.config.emailNoticeGatherMs, pauseMs: this.config.emailNoticePauseMs },
    );
    await endMessages(all.filter(({ type }) => type === 'ended'));
  }
}
