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
    account: z.object({
      id,
      companyId: id,
      orgId: id,
      name: z.string(),
      number: z.string(),
      server: z.string(),
      /** An FCS account whose company has no FCS any more, or whose server is gone: no line is given it. */
      closed: z.boolean().default(false),
    }),
  },
});

/** How many FCS accounts a company has itself: what it has, it cannot give on to its channels. */
export const provisioningFcsUse = topic({
  name: 'provisioning.fcsUse.v1',
  writers: ['provisioning'],
  readers: ['org'],
  key: 'company id',
  partitions: 6,
  cleanup: 'compact',
  events: { use: z.object({ companyId: id, used: z.number().int() }) },
});

/** What a device is added with. Nothing of it is a secret. */
export const provisioningServer = topic({
  name: 'provisioning.server.v1',
  writers: ['provisioning'],
  readers: ['device'],
  key: 'SIP server id',
  partitions: 6,
  cleanup: 'compact',
  events: { server: z.object({ id, companyId: id, name: z.string(), address: z.string() }) },
});
