import { Controller } from '@nestjs/common';
import { message, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { storeMessages } from './message.queries.ts';

/** What services have to say: a batch of one company is one statement, and a repeat is no second message. */
@Controller()
export class MessageConsumer {
  @On(message, ['message'])
  async store(messages: Message<typeof message>[]): Promise<void> {
    await storeMessages(messages);
  }
}
