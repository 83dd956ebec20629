import { z } from 'zod';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';

/** What the own company has of FCS, and how much of it is used (ACC-03). */
export const getFcs = route({
  method: 'GET',
  path: '/api/f/provisioning/fcs',
  summary: 'Whether the own company has FCS, how many accounts it may have and has, and on which servers',
  permission: 'sipAccount',
  audit: 'none',
  response: z.object({
    /** Its flag is set, and FCS is on in the installation. */
    enabled: z.boolean(),
    limit: z.number(),
    used: z.number(),
    /** Of the channel account. */
    url: z.string(),
    domain: z.string(),
    /** Those that are offered. */
    servers: z.array(z.object({ id, name: z.string(), address: z.string(), domain: z.string() })),
  }),
  errors: [],
});
