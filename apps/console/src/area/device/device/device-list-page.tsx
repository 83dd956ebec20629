import { lazy, useCallback, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import {
  IconDeviceLandlinePhone,
  IconDownload,
  IconMapPin,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Late } from '../../../kit/part/late.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { actionRequest, useActions, type ActionRequest } from '../../task/action/actions.tsx';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Filter, GridAction } from '../../../kit/grid/grid.types.ts';
import type { Target } from '../../../kit/grid/selection.ts';
import { filterOf, queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { StateGlyph, StateWord } from '../../../kit/part/state.tsx';
import { one } from '../../../kit/session/address.ts';
import { useAccess } from '../../../kit/session/access.ts';
import { newTraceparent } from '../../../kit/session/origin.ts';
import { keep, recall } from '../../../kit/session/storage.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import {
  deviceCountQuery,
  deviceListQuery,
  deviceStates,
  type DeviceFilter,
  type DeviceQuery,
} from '../record/device.calls.ts';
import type { SiteRequest } from './assign-site.tsx';
import type { ExportRequest } from './device-export.calls.ts';
import type { DeleteRequest } from './delete-devices.tsx';
import { useDeviceColumns } from '../record/device-columns.tsx';
import { LinesCell } from '../record/lines.tsx';

const route = getRouteApi('/_main/device/list');

const ActionDialog = lazy(() => pageTexts().then(() => import('../../task/action/action-dialog.tsx')));
const RenameDevice = lazy(() => import('./rename-device.tsx'));
const DeviceExport = lazy(() => pageTexts().then(() => import('./device-export.tsx')));
const AssignSite = lazy(() => pageTexts().then(() => import('./assign-site.tsx')));
const DeleteDevices = lazy(() => pageTexts().then(() => import('./delete-devices.tsx')));
const DeviceDrawer = lazy(() => import('./device-drawer.tsx'));

const lineStatuses = ['registered', 'calling', 'failed', 'abnormal', 'unregistered', 'unassigned'] as const;
type Field = 'state' | 'model' | 'firmware' | 'site' | 'line';
const rules: ListRules<Field> = {
  sorts: ['name', 'mac', 'model', 'sn', 'firmware', 'state', 'internalIp', 'lastOnlineAt', 'createdAt'],
  filters: { state: deviceStates, model: undefined, firmware: undefined, site: undefined, line: lineStatuses },
};

export function DeviceListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const access = useAccess();
  const search = route.useSearch();
  const opened = one(search.id);
  const state = useMemo(() => readList(search, rules), [search]);
  const query = useQuery(deviceListQuery(queryOf(state) as DeviceQuery));
  // Counts beside the values of a filter are of the other filters' match, without its own choice.
  const counts = useQuery(deviceCountQuery((state.search === '' ? {} : { search: state.search }) as DeviceFilter)).data;
  const columns = useDeviceColumns();
  const deviceActions = useActions();
  const [request, setRequest] = useState<ActionRequest>();
  const [renaming, setRenaming] = useState<DeviceRecord>();
  const [deleting, setDeleting] = useState<DeleteRequest>();
  const [assigned, setAssigned] = useState<SiteRequest>();
  const [exporting, setExporting] = useState<ExportRequest | string | undefined>(
    () => recall<ExportRequest>('export-order') ?? recall<string>('export-device'),
  );
  const [exports, setExports] = useState(0);
  const { sort } = state;
  const exportAll = useCallback(
    (of: ExportRequest) => {
      const order = {
        ...of,
        ...(sort === undefined ? {} : { sort: sort as DeviceQuery['sort'] }),
        key: newTraceparent(),
      };
      // Until the server has it: an order survives that the page is loaded anew.
      keep('export-order', order);
      setExporting(order);
      setExports((n) => n + 1);
    },
    [sort],
  );
  const mayExport = access.can('exportDevice');
  const [cleared, setCleared] = useState(0);
  const mayRename = access.can('editDevice');
  const mayDelete = access.can('deleteDevice');

  const filters: Filter<Field>[] = [
    {
      key: 'state',
      title: t('device.state'),
      options: deviceStates.map((s) => ({
        value: s,
        label: t(`state.${s}`),
        glyph: <StateGlyph state={s} />,
        count: counts?.state[s] ?? 0,
      })),
    },
    {
      key: 'model',
      title: t('device.model'),
      options: (counts?.models ?? []).map((m) => ({ value: m.model, label: m.model, count: m.count })),
    },
    {
      key: 'firmware',
      title: t('device.firmware'),
      options: (counts?.firmwares ?? []).map((f) => ({ value: f.firmware, label: f.firmware, count: f.count })),
    },
    {
      key: 'site',
      title: t('device.site'),
      options: (counts?.sites ?? []).map((s) => ({
        value: s.id ?? 'none',
        label: s.id === null ? t('device.noSite') : s.name,
        count: s.count,
      })),
    },
    { key: 'line', title: t('device.lines'), options: lineStatuses.map((s) => ({ value: s, label: t(`line.${s}`) })) },
  ];
  const actions = useMemo(
    (): GridAction<DeviceRecord>[] => [
      ...deviceActions.map((a): GridAction<DeviceRecord> => ({
        key: a.key,
        label: a.label,
        icon: a.icon,
        onOne: (d) => setRequest(actionRequest(a.key, { ids: [d.id] }, 1, d.name)),
        onMany: (target, count) => setRequest(actionRequest(a.key, target, count)),
      })),
      ...(mayRename
        ? [
            {
              key: 'rename',
              label: t('device.rename'),
              icon: <IconPencil size={16} stroke={1.75} aria-hidden />,
              onOne: setRenaming,
            },
            {
              key: 'site',
              label: t('device.assignSite'),
              icon: <IconMapPin size={16} stroke={1.75} aria-hidden />,
              menuOnly: true as const,
              onOne: (d: DeviceRecord) =>
                setAssigned({ target: { ids: [d.id] }, count: 1, name: d.name, site: d.site?.id }),
              onMany: (target: Target<unknown>, count: number) =>
                setAssigned({ target: target as SiteRequest['target'], count }),
            },
          ]
        : []),
      ...(mayExport
        ? [
            {
              key: 'export',
              label: t('grid.export'),
              icon: <IconDownload size={16} stroke={1.75} aria-hidden />,
              menuOnly: true as const,
              onOne: (d: DeviceRecord) => exportAll({ ids: [d.id] }),
              onMany: (target: Target<unknown>) => exportAll(target as ExportRequest),
            },
          ]
        : []),
      ...(mayDelete
        ? [
            {
              key: 'delete',
              label: t('device.delete'),
              icon: <IconTrash size={16} stroke={1.75} aria-hidden />,
              menuOnly: true as const,
              onOne: (d: DeviceRecord) => setDeleting({ target: { ids: [d.id] }, count: 1, name: d.name }),
              onMany: (target: Target<unknown>, count: number) =>
                setDeleting({ target: target as DeleteRequest['target'], count }),
            },
          ]
        : []),
    ],
    [deviceActions, mayRename, mayDelete, mayExport, exportAll, t],
  );
  const show = (id: string | undefined) => void navigate({ to: '.', search: { ...search, id } as never });
  const add = access.can('addDevice');
  return (
    <>
      <DataGrid<DeviceRecord, Field>
        key={cleared}
        name="device"
        title={t('menu.devices')}
        columns={columns}
        query={query}
        state={state}
        filters={filters}
        actions={actions}
        pageOnly={state.filters.line !== undefined}
        openId={opened}
        onState={(next) =>
          void navigate({
            to: '.',
            search: { ...writeList(next), ...(opened === undefined ? {} : { id: opened }) } as never,
          })
        }
        onOpen={(d) => show(d.id)}
        label={(d) => d.name}
        searchLabel={t('device.search')}
        phone={(d) => ({
          title: d.name,
          sub: (
            <>
              {d.model} · <code>{macText(d.mac)}</code>
            </>
          ),
          state: <StateWord state={d.state} />,
          extra: <LinesCell lines={d.lines} phone />,
        })}
        {...(mayExport ? { onExportAll: () => exportAll({ filter: filterOf(state) }) } : {})}
        strip={
          exporting !== undefined && (
            <Late>
              <DeviceExport key={exports} of={exporting} onClose={() => setExporting(undefined)} />
            </Late>
          )
        }
        primary={add && <AddButton />}
        empty={{
          icon: <IconDeviceLandlinePhone size={20} stroke={1.5} />,
          title: t('device.none'),
          text: t('device.noneText'),
          action: add && <AddButton />,
        }}
        noMatch={t('device.noMatch', { count: Object.keys(filterOf(state)).length })}
        failure={t('device.listFailed')}
      />
      <Late>
        {opened !== undefined && <DeviceDrawer id={opened} onClose={() => show(undefined)} onAction={setRequest} />}
        {renaming && <RenameDevice device={renaming} onClose={() => setRenaming(undefined)} />}
        {assigned && <AssignSite request={assigned} onClose={() => setAssigned(undefined)} />}
        {deleting && (
          <DeleteDevices
            request={deleting}
            onClose={() => setDeleting(undefined)}
            onDone={() => {
              setDeleting(undefined);
              setCleared(cleared + 1);
              if (opened !== undefined) show(undefined);
            }}
          />
        )}
        {request && <ActionDialog request={request} onClose={() => setRequest(undefined)} />}
      </Late>
    </>
  );
}

function AddButton() {
  const { t } = useText();
  return (
    <Button component={Link} to="/device/addDevice" leftSection={<IconPlus size={15} stroke={2} />}>
      {t('device.add')}
    </Button>
  );
}
