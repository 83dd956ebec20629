import { z } from 'zod';
import { id } from '../define/list.ts';

/** Spec, section 6. */
export const companyTypes = [
  'distributor',
  'reseller',
  'integrator',
  'itsp',
  'vad',
  'channel',
  'operator',
  'enterprise',
  'vip',
] as const;
/** Spec, section 4, "Channel account". */
export const companyStatuses = ['normal', 'inactive', 'locked', 'disabled', 'deactivated'] as const;

/** Features of a company; it can grant those that it has to a channel. */
export const channelFlags = ['licenseGranting', 'fcsEnabled', 'localSync'] as const;
export type ChannelFlag = (typeof channelFlags)[number];

export const companyView = z.object({
  id,
  name: z.string(),
  path: z.string(),
  type: z.string(),
  status: z.string(),
  /** FCS accounts that the company may use itself: its limit minus what it granted to its channels. */
  fcsLimit: z.number().default(0),
  fcsEnabled: z.boolean().default(false),
  /** The parent company; absent for the installation's own. */
  parentId: id.optional(),
  /** Most companies below it, at any depth. */
  createSubLimit: z.number().optional(),
  /** FCS accounts of the company and all companies below it. */
  fcsTotal: z.number().optional(),
  /** FCS accounts that the company uses itself. */
  fcsUsed: z.number().optional(),
  licenseGranting: z.boolean().optional(),
  localSync: z.boolean().optional(),
  fcsUrl: z.string().optional(),
  fcsDomain: z.string().optional(),
});
/** Highest limit of a company; the installation's own company has it. */
export const mostOfAll = 1_000_000;
const limit = z.number().int().min(0).max(mostOfAll);
/** Grants of a parent company to a channel, besides its name and type (CHN-01). */
export const channelGrants = z.object({
  addressId: id.nullable(),
  createSubLimit: limit,
  fcsLimit: limit,
  licenseGranting: z.boolean(),
  fcsEnabled: z.boolean(),
  localSync: z.boolean(),
  /** Where its FCS accounts register: an http or https address, and their domain. */
  fcsUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(256)]),
  fcsDomain: z
    .string()
    .trim()
    .max(253)
    .refine((text) => text === '' || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text), 'common.fieldFormat'),
});
export type ChannelGrants = z.output<typeof channelGrants>;

/** The copy of a site that other services keep; segments in the database's form. */
export const siteView = z.object({
  id,
  companyId: id,
  parentId: id.nullable(),
  name: z.string(),
  segments: z.array(z.string()),
  autoAssign: z.boolean(),
  downloadMbit: z.number().int().nullable().optional(),
  /** Time zone of the place (IANA); null: that of the company. */
  timeZone: z.string().nullable().optional(),
});
export const organizationView = z.object({
  id,
  companyId: id,
  name: z.string(),
  description: z.string(),
  updatedAt: z.string(),
});
export const channelAddressView = z.object({ id, companyId: id });
