import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { channelAddressView, companyView, organizationView, siteView } from './org.schemas.ts';

export const orgCompany = topic({
  name: 'org.company.v1',
  writers: ['org'],
  readers: ['auth', 'org', 'device', 'provisioning', 'resource'],
  key: 'company id',
  partitions: 6,
  cleanup: 'compact',
  events: { company: companyView },
});
export const orgOrganization = topic({
  name: 'org.organization.v1',
  writers: ['org'],
  readers: ['auth', 'device', 'provisioning', 'notification'],
  key: 'organization id',
  partitions: 6,
  cleanup: 'compact',
  events: { organization: organizationView },
});
export const orgSite = topic({
  name: 'org.site.v1',
  writers: ['org'],
  readers: ['device', 'provisioning', 'resource', 'notification', 'task'],
  key: 'site id',
  partitions: 6,
  cleanup: 'compact',
  events: { site: siteView },
});
/** Lets auth check where a new channel account may be placed. */
export const orgChannelAddress = topic({
  name: 'org.channelAddress.v1',
  writers: ['org'],
  readers: ['auth'],
  key: 'channel address id',
  partitions: 3,
  cleanup: 'compact',
  events: { channelAddress: channelAddressView },
});

/** Transfers all users and devices of one organization to another; the owning services move them (ORG-01). */
export const orgTransfer = topic({
  name: 'org.transfer.v1',
  writers: ['org'],
  readers: ['auth', 'device', 'provisioning'],
  key: 'company id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 7 * 86_400_000,
  events: { transfer: z.object({ fromId: id, toId: id }) },
});
