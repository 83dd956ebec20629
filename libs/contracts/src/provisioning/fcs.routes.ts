import { z } from 'zod';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';

/** Returns the FCS limit of the caller's company, and how much of it is used (ACC-03). */
export const getFcs = route({
  method: 'GET',
  path: '/api/f/provisioning/fcs',
  summary: 'Whether the own company has FCS, how many accounts it may have and has, and on which servers',
  permission: 'sipAccount',
  audit: 'none',
  response: z.object({
    /** The company's flag is set, and FCS is on in the installation. */
    enabled: z.boolean(),
    limit: z.number(),
    used: z.number(),
    /** From the channel account. */
    url: z.string(),
    domain: z.string(),
    /** Available servers. */
    servers: z.array(z.object({ id, name: z.string(), address: z.string(), domain: z.string() })),
  }),
  errors: [],
});
