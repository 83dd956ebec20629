import { Controller } from '@nestjs/common';
import { gatewayActivity, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { storeActivity } from './session.queries.ts';

/** Stores the last activity that the API gateways saw: a refresh after 30 idle minutes is refused (AUTH-08). */
@Controller()
export class SessionConsumer {
  @On(gatewayActivity, ['active'])
  async active(messages: Message<typeof gatewayActivity>[]): Promise<void> {
    const seen = messages.flatMap((m) => (m.data ? [m.data] : []));
    await storeActivity(
      seen.map((s) => s.sessionId),
      seen.map((s) => new Date(s.at)),
    );
  }
}
