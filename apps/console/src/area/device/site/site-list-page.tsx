import { useCallback, useMemo } from 'react';
import { IconMapPin } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceCountQuery } from '../record/device.calls.ts';
import { deleteSite, listSites, restoreSites, type Site } from './site.calls.ts';

const SiteDialog = lazy(() => import('./site-dialog.tsx'));
const overlapping = (site: Site) => [...new Set(site.overlaps.map((o) => o.site))];

/** Lists the company's sites as a tree, with the networks of their devices (SITE-01). */
export function SiteListPage() {
  const { t } = useText();
  const client = useQueryClient();
  const mayList = useGranted('/device/list');
  const counts = useQuery({ ...deviceCountQuery({}), enabled: mayList }).data?.sites;
  const devicesIn = useCallback((site: Site) => counts?.find((s) => s.id === site.id)?.count ?? 0, [counts]);
  const columns = useMemo(
    (): ListColumn<typeof listSites>[] => [
      {
        key: 'name',
        type: 'text',
        title: 'site.name',
        sort: true,
        width: 190,
        fixed: true,
        value: (s) => s.path.join(' / '),
        show: (s) => (
          <span style={{ paddingInlineStart: (s.path.length - 1) * 18 }} title={s.path.join(' / ')}>
            {s.name}
          </span>
        ),
      },
      { key: 'segments', type: 'code', title: 'site.segments', width: 200, value: (s) => s.segments.join(', ') },
      {
        key: 'overlaps',
        type: 'names',
        title: 'site.overlaps',
        width: 120,
        value: overlapping,
        show: (s) =>
          s.overlaps.length === 0 ? (
            '–'
          ) : (
            <span title={s.overlaps.map((o) => t('site.overlap', { ...o })).join('\n')}>
              {overlapping(s).join(', ')}
            </span>
          ),
      },
      {
        key: 'autoAssign',
        type: 'word',
        title: 'site.newDevices',
        sort: true,
        width: 110,
        phone: 'extra',
        value: (s) => (s.autoAssign ? 'site.putHere' : 'site.offered'),
      },
      ...(mayList
        ? [
            {
              key: 'devices',
              type: 'number' as const,
              title: 'site.devices' as const,
              width: 90,
              live: true as const,
              unwritten: true as const,
              value: devicesIn,
              show: (s: Site) => (
                <Link to="/device/list" search={{ site: [s.id] } as never}>
                  {count(devicesIn(s))}
                </Link>
              ),
            },
          ]
        : []),
      {
        key: 'downloadMbit',
        type: 'number',
        title: 'site.downloadMbit',
        width: 170,
        optional: true,
        value: (s) => s.downloadMbit,
      },
      {
        key: 'timeZone',
        type: 'text',
        title: 'site.timeZone',
        sort: true,
        width: 150,
        optional: true,
        value: (s) => s.timeZone,
      },
      {
        key: 'description',
        type: 'text',
        title: 'site.description',
        sort: true,
        width: 226,
        value: (s) => s.description,
      },
      {
        key: 'updatedAt',
        type: 'moment',
        title: 'user.updated',
        sort: true,
        optional: true,
        value: (s) => s.updatedAt,
      },
    ],
    [t, devicesIn, mayList],
  );
  const dialog = (site: Site | undefined, close: () => void) => (
    <SiteDialog
      site={site}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: ['site'] });
        await client.invalidateQueries({ queryKey: ['device'] });
      }}
      onClose={close}
    />
  );
  return (
    <ListPage
      name="site"
      route="/_main/site/list"
      list={listSites}
      service="org"
      title="menu.sites"
      icon={IconMapPin}
      texts="site"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'site.name' },
        { key: 'description', kind: 'text', empties: true, title: 'site.description' },
        {
          key: 'autoAssign',
          kind: 'flag',
          title: 'site.newDevices',
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => (yes === 'true' ? 'site.putHere' : 'site.offered'),
        },
        { key: 'timeZone', kind: 'text', empties: true, title: 'site.timeZone' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(s) => s.name}
      phone={(s) => ({
        title: s.path.join(' / '),
        sub: s.segments.length === 0 ? s.description : <code>{s.segments.join(', ')}</code>,
        state: t('site.deviceCount', { count: devicesIn(s), number: count(devicesIn(s)) }),
      })}
      add={{ label: 'site.add', right: 'addSite', dialog: (close) => dialog(undefined, close) }}
      drawer={{ parameter: 'site' }}
      edit={{ right: 'editSite', dialog }}
      remove={{
        right: 'deleteSite',
        dialog: (site, close) => (
          <DeleteDialog
            noun="site"
            name={site.name}
            text={
              devicesIn(site) === 0
                ? t('site.deleteEmpty')
                : t('site.deleteText', { count: devicesIn(site), number: count(devicesIn(site)) })
            }
            renew={[['site'], ['device']]}
            remove={() => call(deleteSite, { query: { id: site.id } })}
            restore={() => call(restoreSites, { body: { ids: [site.id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
