import { z } from 'zod';
import { route } from '../define/route.ts';
import { id, listOf, pageQuery } from '../define/list.ts';
import { companyStatuses, companyTypes } from './org.schemas.ts';

export const companyRecord = z
  .object({
    id,
    name: z.string(),
    type: z.enum(companyTypes),
    status: z.enum(companyStatuses),
    users: z.number(),
    devices: z.number(),
    createdAt: z.string(),
    remarks: z.string(),
  })
  .meta({ id: 'Company' });

/** For the super administrator alone: the key is no other kind of account's. */
export const listCompanies = route({
  method: 'GET',
  path: '/api/f/org/company/list',
  summary: 'Companies of the installation',
  permission: 'company',
  audit: 'none',
  query: z.object({ search: z.string().trim().max(128).optional(), ...pageQuery }),
  response: listOf(companyRecord),
  errors: [],
});
