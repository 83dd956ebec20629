import { z } from 'zod';
import { choice, filters, moment, orEmpty, parts, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { route } from '../define/route.ts';
import { mac, macPart } from './device.schemas.ts';

export const deliveredStates = ['free', 'claimed'] as const;

/** A device of a maker's delivery list. Its claim code is never answered. */
export const deliveryRecord = z
  .object({
    id,
    mac: z.string(),
    sn: z.string(),
    /** Claimed when its code was used. A new code for the MAC makes it free again. */
    state: z.enum(deliveredStates),
    /** The company that used the code; null when it is not known. */
    company: z.string().nullable(),
    claimedAt: z.string().nullable(),
    /** When a list last named it with other data than before. */
    importedAt: z.string(),
  })
  .meta({ id: 'Delivery' });
export type DeliveryRecord = z.output<typeof deliveryRecord>;

export const listDeliveries = route({
  method: 'GET',
  path: '/api/f/device/delivery/list',
  summary: 'Devices of the makers’ delivery lists, and which of them are claimed',
  permission: 'importDelivery',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      mac: { ...choice(mac), '.contains': parts(macPart) },
      sn: text(64),
      state: choice(z.enum(deliveredStates)),
      company: orEmpty(text()),
      importedAt: moment,
      claimedAt: orEmpty(moment),
    }),
    ...pageQuery,
    sort: sortBy(['mac', 'sn', 'state', 'company', 'claimedAt', 'importedAt']),
  }),
  response: listOf(deliveryRecord),
  errors: [],
});

/** Deletes all of them, or none when one is claimed or does not exist. */
export const deleteDeliveries = route({
  method: 'DELETE',
  path: '/api/f/device/delivery',
  summary: 'Delete devices of delivery lists that no company has claimed',
  permission: 'importDelivery',
  audit: 'delivery.delete',
  query: z.object({ ids: z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(1000)) }),
  response: z.object({ deleted: z.number().int() }),
  errors: ['device.deliveryClaimed'],
});
