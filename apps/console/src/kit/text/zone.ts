import { useMemo } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, remote } from '../session/call.ts';
import { useText } from './use-text.ts';

const list = remote('listZones', 'GET /api/f/license/time/zone');
export const zonesQuery = queryOptions({
  queryKey: ['time', 'zones'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
  staleTime: 60_000,
});

/** Whoever chose no zone sees times as the browser tells them. */
export const zoneOfBrowser = '';

/** The zones to choose from, as the service has them: from west to east; before them that of the browser. */
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
