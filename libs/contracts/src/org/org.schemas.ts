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

export const companyView = z.object({ id, name: z.string(), path: z.string(), type: z.string(), status: z.string() });
/** What other services copy of a site; its segments as the database keeps them. */
export const siteView = z.object({
  id,
  companyId: id,
  parentId: id.nullable(),
  name: z.string(),
  segments: z.array(z.string()),
  autoAssign: z.boolean(),
});
export const organizationView = z.object({
  id,
  companyId: id,
  name: z.string(),
  description: z.string(),
  updatedAt: z.string(),
});
