import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../kit/api/call.ts';

const modelNames = remote('listModelNames', 'GET /api/f/device/model');

/** Models to choose from, for users who see devices; any other name can be typed. */
export const modelNamesQuery = () =>
  queryOptions({
    queryKey: ['model', 'names', 'resource'],
    queryFn: async ({ signal }) => [...new Set((await call(modelNames, {}, { signal })).map(({ name }) => name))],
  });
