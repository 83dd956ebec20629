import { queryOptions, useQuery } from '@tanstack/react-query';
import { useGranted } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';

/** How devices are grouped. */
export type Scope = 'model' | 'site' | 'group';

/** Returns the scope by which a task chooses its files; undefined when it chooses them otherwise. */
export const scopeOf = ({ params: { by } }: { params: Record<string, unknown> }): Scope | undefined =>
  by === 'model' || by === 'site' || by === 'group' ? by : undefined;

const siteNames = remote('listSiteNames', 'GET /api/f/device/site');
const groupNames = remote('listDeviceGroupNames', 'GET /api/f/device/group');
const modelNames = remote('listModelNames', 'GET /api/f/device/model');

/** The available sites. Refetched by each dialog, because new ones are known a moment later. */
const siteNamesQuery = queryOptions({
  queryKey: ['device', 'sites'],
  queryFn: ({ signal }) => call(siteNames, {}, { signal }),
  staleTime: 0,
});
export const groupNamesQuery = queryOptions({
  queryKey: ['deviceGroup', 'names'],
  queryFn: ({ signal }) => call(groupNames, {}, { signal }),
});
const modelNamesQuery = queryOptions({
  queryKey: ['model', 'names'],
  queryFn: ({ signal }) => call(modelNames, {}, { signal }),
  staleTime: 0,
});

/** Returns all values of a scope with their labels; none for users who do not see devices. */
export function useScopeOptions(scope: Scope | undefined): readonly (readonly [value: string, label: string])[] {
  const sees = useGranted('/device/list');
  const { data: sites = [] } = useQuery({ ...siteNamesQuery, enabled: sees && scope === 'site' });
  const { data: groups = [] } = useQuery({ ...groupNamesQuery, enabled: sees && scope === 'group' });
  const { data: models = [] } = useQuery({ ...modelNamesQuery, enabled: sees && scope === 'model' });
  switch (scope) {
    case 'model':
      return [...new Set(models.map(({ name }) => name))].map((name) => [name, name]);
    case 'site':
      return sites.map((s) => [s.id, s.path.join(' / ')]);
    case 'group':
      return groups.map((g) => [g.id, g.organization ? `${g.name} · ${g.organization.name}` : g.name]);
    case undefined:
      return [];
  }
}
