import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../../kit/session/call.ts';

const getStorage = remote('getStorage', 'GET /api/f/resource/storage');

/** Under the key of the list that it stands over: it is asked for anew with its records. */
export const storageQuery = (list: string) =>
  queryOptions({
    queryKey: [list, 'storage'],
    queryFn: ({ signal }) => call(getStorage, {}, { signal }),
  });
