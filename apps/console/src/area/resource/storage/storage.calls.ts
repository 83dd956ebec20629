import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../../kit/api/call.ts';

const getStorage = remote('getStorage', 'GET /api/f/resource/storage');

/** Uses the key of its list, so that it is refetched with the list's records. */
export const storageQuery = (list: string) =>
  queryOptions({
    queryKey: [list, 'storage'],
    queryFn: ({ signal }) => call(getStorage, {}, { signal }),
  });
