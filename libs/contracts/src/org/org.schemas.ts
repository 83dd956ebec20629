import { z } from 'zod';
import { id } from '../define/list.ts';

export const companyView = z.object({ id, name: z.string(), path: z.string(), type: z.string(), status: z.string() });
export const organizationView = z.object({ id, companyId: id, name: z.string(), description: z.string(), updatedAt: z.string() });
