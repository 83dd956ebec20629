import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const list = remote('listTags', 'GET /api/f/device/tag');
export const tagDevices = remote('tagDevices', 'POST /api/f/device/tag');

type Tag = RouteOutput<typeof list>[number];

/** The tags in use. Not refetched with devices, because it has its own key. */
export const tagsQuery = queryOptions({
  queryKey: ['tag'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
  staleTime: 60_000,
});

/** Returns filter options: each tag, preceded by "any value" for keys with several values. */
export const tagOptions = (tags: readonly Tag[]): { value: string; label: string; count?: number }[] =>
  [...Map.groupBy(tags, (tag) => tag.key)].flatMap(([key, ofKey]) => [
    ...(ofKey.length > 1
      ? [{ value: key, label: `${key}: *`, count: ofKey.reduce((sum, t) => sum + t.devices, 0) }]
      : []),
    ...ofKey.map((t) => ({ value: `${key}=${t.value}`, label: `${key}: ${t.value}`, count: t.devices })),
  ]);
