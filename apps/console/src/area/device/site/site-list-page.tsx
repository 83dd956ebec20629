import { lazy, useCallback, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { IconMapPin, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { deviceCountQuery } from '../record/device.calls.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, GridAction } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { Late } from '../../../kit/part/late.tsx';
import { useAccess, useGranted } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { toldThere } from '../../../kit/part/told.ts';
import { count } from '../../../kit/text/text.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteSite, restoreSites, siteListQuery, type Site, type SiteQuery } from './site.calls.ts';

const route = getRouteApi('/_main/site/list');
const SiteDialog = lazy(() => import('./site-dialog.tsx'));
const rules: ListRules<never> = { sorts: [], filters: {} as Record<never, undefined> };
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

/** Places of the company as a tree, with the networks that devices in them have (SITE-01). */
export function SiteListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const query = useQuery(siteListQuery(queryOf(state) as SiteQuery));
  const devices = useGranted('/device/list');
  const counts = useQuery({ ...deviceCountQuery({}), enabled: devices }).data?.sites;
  const [edited, setEdited] = useState<Site | 'new'>();
  const [gone, setGone] = useState<Site>();
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['site'] });
    await client.invalidateQueries({ queryKey: ['device'] });
  };
  const deleted = useDeleted();
  const remove = async ({ id }: Site) => {
    await call(deleteSite, { query: { id } });
    await changed();
    await deleted('site', 1, async () => {
      const back = await call(restoreSites, { body: { ids: [id] } }, toldThere);
      await changed();
      return back;
    });
  };
  const inIt = useCallback((site: Site) => counts?.find((s) => s.id === site.id)?.count ?? 0, [counts]);
  const columns = useMemo(
    (): Column<Site>[] => [
      {
        key: 'name',
        title: t('site.name'),
        width: 220,
        fixed: true,
        render: (s) => (
          <span style={{ paddingInlineStart: (s.path.length - 1) * 18 }} title={s.path.join(' / ')}>
            {s.name}
          </span>
        ),
      },
      {
        key: 'segments',
        title: t('site.segments'),
        width: 260,
        render: (s) =>
          s.segments.length === 0 ? '–' : <code title={s.segments.join(', ')}>{s.segments.join(', ')}</code>,
      },
      {
        key: 'overlaps',
        title: t('site.overlaps'),
        width: 130,
        render: (s) =>
          s.overlaps.length === 0 ? (
            '–'
          ) : (
            <span title={s.overlaps.map((o) => t('site.overlap', { ...o })).join('\n')}>
              {[...new Set(s.overlaps.map((o) => o.site))].join(', ')}
            </span>
          ),
      },
      {
        key: 'autoAssign',
        title: t('site.newDevices'),
        width: 130,
        render: (s) => t(s.autoAssign ? 'site.putHere' : 'site.offered'),
      },
      ...(devices
        ? [
            {
              key: 'devices',
              title: t('site.devices'),
              width: 90,
              align: 'end' as const,
              render: (s: Site) => (
                <Link to="/device/list" search={{ site: [s.id] } as never}>
                  {count(inIt(s))}
                </Link>
              ),
              live: inIt,
            },
          ]
        : []),
      {
        key: 'description',
        title: t('site.description'),
        width: 220,
        render: (s) => <span title={s.description}>{s.description || '–'}</span>,
      },
      {
        key: 'updatedAt',
        title: t('user.updated'),
        hint: zoneName(),
        width: 158,
        optional: true,
        render: (s) => moment(s.updatedAt),
      },
    ],
    [t, inIt, devices],
  );
  const actions = useMemo(
    (): GridAction<Site>[] => [
      ...(access.can('editSite')
        ? [{ key: 'edit', label: t('common.edit'), icon: <IconPencil {...icon} />, onOne: setEdited }]
        : []),
      ...(access.can('deleteSite')
        ? [
            {
              key: 'delete',
              label: t('common.delete'),
              icon: <IconTrash {...icon} />,
              menuOnly: true as const,
              onOne: setGone,
            },
          ]
        : []),
    ],
    [t, access],
  );
  const add = access.can('addSite') && (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setEdited('new')}>
      {t('site.add')}
    </Button>
  );
  return (
    <>
      <DataGrid<Site, never>
        name="site"
        title={t('menu.sites')}
        columns={columns}
        query={query}
        state={state}
        filters={[]}
        actions={actions}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(s) => s.name}
        searchLabel={t('site.search')}
        phone={(s) => ({
          title: s.path.join(' / '),
          sub: s.segments.length === 0 ? s.description : <code>{s.segments.join(', ')}</code>,
          state: t('site.deviceCount', { count: inIt(s), number: count(inIt(s)) }),
          extra: t(s.autoAssign ? 'site.putHere' : 'site.offered'),
        })}
        {...(access.can('editSite') ? { onOpen: setEdited } : {})}
        primary={add}
        empty={{
          icon: <IconMapPin size={20} stroke={1.5} />,
          title: t('site.none'),
          text: t('site.noneText'),
          action: add,
        }}
        noMatch={t('site.noMatch')}
        failure={t('site.listFailed')}
      />
      <Late>
        {edited !== undefined && (
          <SiteDialog
            site={edited === 'new' ? undefined : edited}
            onDone={changed}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Late>
      {gone && (
        <AskDialog
          title={t('site.deleteOne', { name: gone.name })}
          text={
            inIt(gone) === 0
              ? t('site.deleteEmpty')
              : t('site.deleteText', { count: inIt(gone), number: count(inIt(gone)) })
          }
          confirm={t('common.delete')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={() => remove(gone)}
        />
      )}
    </>
  );
}
