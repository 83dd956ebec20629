import { z } from 'zod';
import { id } from '../define/list.ts';

/** Spec, section 6. */
export const companyTypes = ['distributor', 'reseller', 'integrator', 'itsp', 'vad', 'channel', 'operator', 'enterprise', 'vip'] as const;
/** Spec, section 4, "Channel account". */
export const companyStatuses = ['normal', 'inactive', 'locked', 'disabled', 'deactivated'] as const;

export const companyView = z.object({ id, name: z.string(), path: z.string(), type: z.string(), status: z.string() });
export const organizationView = z.object({ id, companyId: id, name: z.string(), description: z.string(), updatedAt: z.string() });
