import { z } from 'zod';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';

/** What a line can have. Its passwords never leave the service that keeps them. */
export const provisioningAccount = topic({
  name: 'provisioning.account.v1',
  writers: ['provisioning'],
  readers: ['device'],
  key: 'SIP account id',
  partitions: 6,
  cleanup: 'compact',
  events: {
    account: z.object({ id, companyId: id, orgId: id, name: z.string(), number: z.string(), server: z.string() }),
  },
});
