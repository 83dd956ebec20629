import { z } from 'zod';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';

/** Accounts that a line can have. Their passwords never leave the provisioning service. */
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
      /** An FCS account whose company no longer has FCS, or whose server is gone: it cannot be assigned. */
      closed: z.boolean().default(false),
    }),
  },
});

/** Number of FCS accounts that a company uses itself: it cannot grant these to its channels. */
export const provisioningFcsUse = topic({
  name: 'provisioning.fcsUse.v1',
  writers: ['provisioning'],
  readers: ['org'],
  key: 'company id',
  partitions: 6,
  cleanup: 'compact',
  events: { use: z.object({ companyId: id, used: z.number().int() }) },
});

/** SIP servers that devices can be added with. Contains no secret. */
export const provisioningServer = topic({
  name: 'provisioning.server.v1',
  writers: ['provisioning'],
  readers: ['device'],
  key: 'SIP server id',
  partitions: 6,
  cleanup: 'compact',
  events: { server: z.object({ id, companyId: id, name: z.string(), address: z.string() }) },
});

/** The configuration that each device is to have, for tasks; its content is not sent over the bus. */
export const provisioningDeviceConfig = topic({
  name: 'provisioning.deviceConfig.v1',
  writers: ['provisioning'],
  readers: ['task', 'device'],
  key: 'device id',
  partitions: 6,
  cleanup: 'compact',
  events: {
    config: z.object({
      deviceId: id,
      companyId: id,
      /** What the device reports as its `configVersion` when it has it: the same for the same content. */
      version: z.string(),
      /** Id of the content. */
      contentId: id,
      fileName: z.string(),
      size: z.number().int(),
      sha256: z.string(),
    }),
  },
});
