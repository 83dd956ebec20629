import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { mac } from './device.schemas.ts';

/** A MAC that a company ordered, or claimed with its code, while another one holds it. */
export const macDisputeRecord = z
  .object({
    mac: z.string(),
    /** The current holder; null when it is free now. */
    holder: z
      .object({
        id,
        name: z.string(),
        since: z.string(),
        /** Its device has connected: it ends when the MAC goes to another company. */
        connected: z.boolean(),
      })
      .nullable(),
    claims: z.array(
      z.object({ id, name: z.string(), model: z.string(), proof: z.enum(['order', 'claim']), at: z.string() }),
    ),
  })
  .meta({ id: 'MacDispute' });

/** For the super administrator: the companies themselves only learn that the MAC cannot be added. */
export const listMacDisputes = route({
  method: 'GET',
  path: '/api/f/device/macDispute/list',
  summary: 'MACs that companies have ordered or claimed while another has them, the newest first',
  permission: 'settleMac',
  audit: 'none',
  response: z.array(macDisputeRecord),
  errors: [],
});

/** Gives the MAC to its holder or to a company that wants it; the device of the other one ends. */
export const settleMac = route({
  method: 'POST',
  path: '/api/f/device/macDispute/settle',
  summary: 'Give a disputed MAC to one of the companies',
  permission: 'settleMac',
  audit: 'macDispute.settle',
  body: z.strictObject({ mac, companyId: id }),
  response: z.null(),
  errors: [],
});
