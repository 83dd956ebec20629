import type { RouteOutput } from '@carillon/contracts';
import { remote } from '../../../kit/api/call.ts';

export const listChannelStatistics = remote('listChannelStatistics', 'GET /api/f/device/channelStatistic/list');
export type ChannelStatistic = RouteOutput<typeof listChannelStatistics>['records'][number];
