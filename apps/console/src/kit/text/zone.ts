import { useMemo } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, remote } from '../session/call.ts';

const list = remote('listZones', 'GET /api/f/license/time/zone');
export const zonesQuery = queryOptions({
  queryKey: ['time', 'zones'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
  staleTime: 60_000,
});

/** The zones to choose from, as the service has them: from west to east. */
export function useZoneOptions(): { value: string; label: string }[] {
  const { data } = useQuery(zonesQuery);
  return useMemo(() => (data ?? []).map((z) => ({ value: String(z.id), label: z.displayName })), [data]);
}
