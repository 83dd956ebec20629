import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, number, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { companyStatuses } from '../org/org.schemas.ts';

const count = z.number().int();

/**
 * How many devices a channel has, as its parent company sees it: sums only, of the channel itself and of all companies
 * below it together, and no device.
 */
export const channelStatisticRecord = z
  .object({
    id,
    name: z.string(),
    status: z.enum(companyStatuses),
    devices: count,
    online: count,
    offline: count,
    abnormal: count,
    notConfigured: count,
    /** Devices of all companies below the channel, and those of them that are abnormal or offline. */
    below: count,
    belowAbnormal: count,
    belowOffline: count,
  })
  .meta({ id: 'ChannelStatistic' });
export type ChannelStatisticRecord = z.output<typeof channelStatisticRecord>;

/** Lists the channels directly below the caller's company. The sums are at most about a minute old. */
export const listChannelStatistics = route({
  method: 'GET',
  path: '/api/f/device/channelStatistic/list',
  summary: 'How many devices the channels directly below the own company have, by state',
  permission: 'channelStatistic',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(),
      status: choice(z.enum(companyStatuses)),
      devices: number,
      online: number,
      offline: number,
      abnormal: number,
      notConfigured: number,
      below: number,
      belowAbnormal: number,
      belowOffline: number,
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'status',
      'devices',
      'online',
      'offline',
      'abnormal',
      'notConfigured',
      'below',
      'belowAbnormal',
      'belowOffline',
    ]),
  }),
  response: listOf(channelStatisticRecord),
  errors: [],
});
