import { useMemo } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, remote } from '../api/call.ts';
import { useText } from './use-text.ts';

const list = remote('listZones', 'GET /api/f/license/time/zone');
export const zonesQuery = queryOptions({
  queryKey: ['time', 'zones'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
  staleTime: 60_000,
});

/** The choice "no zone": times use the browser's zone. */
export const zoneOfBrowser = '';

/** Returns the zones to choose from, from west to east, after that of the browser. */
export function useZoneOptions(): { value: string; label: string }[] {
  const { t } = useText();
  const { data } = useQuery(zonesQuery);
  return useMemo(
    () => [
      { value: zoneOfBrowser, label: t('shell.zoneOfBrowser') },
      ...(data ?? []).map((z) => ({ value: String(z.id), label: z.displayName })),
    ],
    [data, t],
  );
}
