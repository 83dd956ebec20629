import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../../kit/api/call.ts';

const channels = remote('listOrderChannels', 'GET /api/f/device/channelOrder/channel');
export const allocateDevices = remote('allocateDevices', 'POST /api/f/device/channelOrder/allocateDevices');

/** Direct channels of the own company, for assigning devices. */
export const orderChannelsQuery = () =>
  queryOptions({
    queryKey: ['channel', 'orderChannels'],
    queryFn: ({ signal }) => call(channels, {}, { signal }),
    staleTime: 0,
  });
