import { useState } from 'react';
import {
  IconBan,
  IconBuildingSkyscraper,
  IconBuilding,
  IconCircleCheck,
  IconDeviceLandlinePhone,
  IconMapPin,
  IconPencil,
  IconPlugConnected,
  IconRefresh,
  IconStackPop,
  IconStackPush,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ConfigState, DeviceRecord, DeviceState } from '@carillon/contracts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListAction, ListFilter } from '../../../kit/grid/list.types.ts';
import { ImportButton } from '../../../kit/import/import-button.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { one } from '../../../kit/browser/address.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { actionRequest, useActions, type ActionRequest } from '../../task/action/actions.tsx';
import { deviceColumns } from '../record/device-columns.tsx';
import {
  deviceCountQuery,
  configStates,
  deviceStates,
  listDevices,
  serverNamesQuery,
  deviceChangesQuery,
} from '../record/device.calls.ts';
import { LinesCell } from '../record/lines.tsx';

import { deviceGroupNamesQuery, groupOptions } from '../device-group/device-group.calls.ts';

import { tagOptions, tagsQuery } from '../tag/tag.calls.ts';

const ActionDialog = lazy(() => pageTexts().then(() => import('../../task/action/action-dialog.tsx')));
const dialogs = () => pageTexts().then(() => import('./device-dialogs.ts'));
const DeviceAccess = lazy(() => dialogs().then((loaded) => ({ default: loaded.DeviceAccess })));
const GroupMembers = lazy(() => dialogs().then((loaded) => ({ default: loaded.GroupMembers })));
const EditTags = lazy(() => dialogs().then((loaded) => ({ default: loaded.EditTags })));
const AssignSite = lazy(() => dialogs().then((loaded) => ({ default: loaded.AssignSite })));
const AssignChannel = lazy(() => dialogs().then((loaded) => ({ default: loaded.AssignChannel })));
const DeleteDevices = lazy(() => dialogs().then((loaded) => ({ default: loaded.DeleteDevices })));
const EditDevices = lazy(() => dialogs().then((loaded) => ({ default: loaded.EditDevices })));
const DeviceChanges = lazy(() => dialogs().then((loaded) => ({ default: loaded.DeviceChanges })));
const OpenAccess = lazy(() => dialogs().then((loaded) => ({ default: loaded.OpenAccess })));
const ReplaceDevice = lazy(() => dialogs().then((loaded) => ({ default: loaded.ReplaceDevice })));
const LineSheet = lazy(() => dialogs().then((loaded) => ({ default: loaded.LineSheet })));
const DeviceDrawer = lazy(() => pageTexts().then(() => import('./device-drawer.tsx')));

type Filters = readonly ListFilter<DeviceRecord>[];
const flag = (key: 'access' | 'certificate') => ({
  kind: 'flag' as const,
  title: `device.${key}` as const,
  values: ['true', 'false'],
  word: (yes: 'true' | 'false') => `device.${key}${yes === 'true' ? 'Yes' : 'No'}` as const,
});
/** Filters that lists and tasks share; most values are typed (DEV-01). */
const aimFilters: Filters = [
  { key: 'name', kind: 'text', title: 'device.name' },
  { key: 'mac', kind: 'text', title: 'device.mac' },
  { key: 'sn', kind: 'text', title: 'device.sn' },
  { key: 'enabled', ...flag('access') },
  {
    key: 'config',
    title: 'device.config',
    values: configStates,
    word: (state: ConfigState) => `device.config.${state}`,
  },
  { key: 'lastOnlineAt', kind: 'moment', empties: true, title: 'device.lastOnline' },
  { key: 'onlineSince', kind: 'moment', empties: true, title: 'device.onlineSince' },
  { key: 'internalIp', kind: 'text', empties: true, title: 'device.internalIp' },
];
/** Filters that only the list has (contracts, `lookFilter`). */
const lookFilters: Filters = [
  {
    key: 'line',
    title: 'device.lines',
    values: ['registered', 'calling', 'failed', 'abnormal', 'unregistered', 'unassigned'],
    word: (s: DeviceRecord['lines'][number]['status']) => `line.${s}`,
  },
  { key: 'account', kind: 'text', title: 'device.account' },
  { key: 'publicIp', kind: 'text', empties: true, title: 'device.publicIp' },
  { key: 'hardware', kind: 'text', empties: true, title: 'device.hardware' },
  { key: 'lte', kind: 'text', empties: true, title: 'device.lte' },
  {
    key: 'dnd',
    title: 'device.dnd',
    empties: true,
    values: ['on', 'off', 'unsupported'],
    word: (dnd: NonNullable<DeviceRecord['dnd']>) => `dnd.${dnd}`,
  },
  {
    key: 'channel',
    title: 'device.channel',
    empties: true,
    values: ['mqtt', 'http'],
    word: (channel: NonNullable<DeviceRecord['channel']>) => `device.channel.${channel}`,
  },
  { key: 'certificate', empties: true, ...flag('certificate') },
  { key: 'calls', kind: 'number', title: 'device.calls' },
  { key: 'configVersion', kind: 'text', empties: true, title: 'device.configVersion' },
  { key: 'lastConfigAt', kind: 'moment', empties: true, title: 'device.lastConfig' },
  { key: 'createdAt', kind: 'moment', title: 'device.created' },
];

/** Lists devices with their state, and the actions for one, some or all matches (DEV-01). */
export function DeviceListPage() {
  const { t } = useText();
  const address = useSearch({ from: '/_main/device/list' });
  const search = one(address.search);
  // Counts beside the values of a filter respect the other filters, but not its own choice.
  const counts = useQuery(deviceCountQuery(search === undefined ? {} : { search })).data;
  const groups = useQuery(deviceGroupNamesQuery).data;
  const tags = useQuery(tagsQuery).data;
  const servers = useQuery(serverNamesQuery()).data;
  // Loads the component only when there are changes.
  const changes = (useQuery(deviceChangesQuery).data ?? []).length > 0;
  const organizations = useOrganizations().data ?? [];
  const deviceActions = useActions();
  const [request, setRequest] = useState<ActionRequest>();
  const asked = new Set(Object.keys(address).map((parameter) => parameter.split('.')[0]));
  const isLook = ['sipServer', 'change', ...lookFilters.map(({ key }) => key)].some((key) => asked.has(key));
  const isDrifted = [(address as { config?: string | string[] }).config].flat().includes('drifted');
  const namedOnly = isLook ? 'device.noTaskByFilter' : undefined;
  return (
    <>
      <ListPage
        name="device"
        route="/_main/device/list"
        list={listDevices}
        service="device"
        exportPath="/api/f/device/export"
        title="menu.devices"
        icon={IconDeviceLandlinePhone}
        texts="device"
        columns={deviceColumns}
        filters={[
          {
            key: 'state',
            title: 'device.state',
            values: deviceStates,
            word: (s: DeviceState) => `state.${s}`,
            glyph: (s: DeviceState) => <StateGlyph state={s} />,
            counts: counts?.state ?? {},
          },
          {
            key: 'model',
            kind: 'text',
            title: 'device.model',
            options: (counts?.models ?? []).map((m) => ({ value: m.model, label: m.model, count: m.count })),
          },
          {
            key: 'firmware',
            kind: 'text',
            empties: true,
            title: 'device.firmware',
            options: (counts?.firmwares ?? []).map((f) => ({ value: f.firmware, label: f.firmware, count: f.count })),
          },
          {
            key: 'site',
            title: 'device.site',
            options: (counts?.sites ?? []).map((s) => ({
              value: s.id ?? 'none',
              label: s.id === null ? t('device.noSite') : s.name,
              count: s.count,
            })),
          },
          {
            key: 'group',
            title: 'device.groups',
            options: [{ value: 'none', label: t('device.noGroup') }, ...groupOptions(groups ?? [])],
          },
          { key: 'tag', empties: true, title: 'device.tags', options: tagOptions(tags ?? []) },
          ...(organizations.length > 1
            ? [
                {
                  key: 'orgId',
                  title: 'device.organization' as const,
                  options: organizations.map(({ id, name }) => ({ value: id, label: name })),
                },
              ]
            : []),
          ...aimFilters,
          {
            key: 'sipServer',
            title: 'device.sipServer',
            empties: true,
            options: (servers ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          ...lookFilters,
          // Changes of many devices link here.
          { key: 'change', title: 'device.change', hidden: true },
        ]}
        label={(d) => d.name}
        phone={(d) => ({
          sub: (
            <>
              {d.model} · <code>{macText(d.mac)}</code>
            </>
          ),
          extra: <LinesCell device={d} phone />,
        })}
        beside={<ImportButton noun="device" place="device/import/device" right="importDevice" />}
        add={{ label: 'device.add', right: 'addDevice', href: '/device/addDevice' }}
        edit={{ right: 'editDevice', href: (d) => `/device/editDevice?id=${d.id}` }}
        drawer={{
          parameter: 'id',
          show: (id, { close }) => <DeviceDrawer id={id} onClose={close} onAction={setRequest} />,
        }}
        actions={[
          ...deviceActions.map(({ key, icon, needs }): ListAction<DeviceRecord> => ({
            key,
            label: `deviceAction.${key}` as TextKey,
            icon: icon as React.ReactElement,
            many: 'all',
            namedOnly,
            when: (device) => !device.unsupported.includes(key) && (needs !== 'doors' || device.doors.length > 0),
            run: ({ target, count, record }) => setRequest(actionRequest(key, target, count, record?.name)),
          })),
          ...deviceActions
            .filter(({ key }) => isDrifted && key === 'configUpdate')
            .map(({ key, icon }): ListAction<DeviceRecord> => ({
              key: 'bringBack',
              label: 'device.bringBack',
              icon: icon as React.ReactElement,
              many: 'all',
              namedOnly,
              when: (device) => !device.unsupported.includes(key),
              run: ({ target, count, record }) =>
                setRequest({ ...actionRequest(key, target, count, record?.name), params: { by: 'template' } }),
            })),
          ...ownActions,
          ...[true, false].map((enabled): ListAction<DeviceRecord> => ({
            key: enabled ? 'disable' : 'enable',
            label: enabled ? 'device.disable' : 'device.enable',
            icon: enabled ? IconBan : IconCircleCheck,
            right: 'disableDevice',
            menuOnly: true,
            when: (device) => device.enabled === enabled,
            dialog: ({ record, close }) => <DeviceAccess device={record!} onClose={close} />,
          })),
          {
            key: 'openAccess',
            label: 'device.openAccess',
            icon: IconPlugConnected,
            right: 'renewDeviceSecret',
            menuOnly: true,
            many: 'named',
            dialog: ({ record, target, close }) => (
              <OpenAccess ids={'ids' in target ? target.ids : []} name={record?.name} onClose={close} />
            ),
          },
          {
            key: 'replace',
            label: 'device.replace',
            icon: IconRefresh,
            right: 'replaceDevice',
            menuOnly: true,
            dialog: ({ record, close }) => <ReplaceDevice device={record!} onClose={close} />,
          },
          {
            key: 'delete',
            label: 'device.delete',
            icon: IconTrash,
            right: 'deleteDevice',
            menuOnly: true,
            danger: true,
            many: 'all',
            dialog: ({ record, target, count, close, deselect }) => (
              <DeleteDevices
                request={{ target, count, ...(record ? { name: record.name } : {}) }}
                onClose={close}
                onDone={() => {
                  close();
                  deselect();
                }}
              />
            ),
          },
        ]}
        strip={changes && <DeviceChanges />}
        exportRight="exportDevice"
      />
      {request && <ActionDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}

const ownActions: readonly ListAction<DeviceRecord>[] = [
  {
    key: 'editMany',
    label: 'common.edit',
    icon: IconPencil,
    right: 'editDevice',
    manyOnly: true,
    many: 'all',
    dialog: ({ target, count, close }) => <EditDevices request={{ target, count }} onClose={close} />,
  },
  {
    key: 'lines',
    label: 'device.editLines',
    icon: IconDeviceLandlinePhone,
    right: 'assignSipAccount',
    menuOnly: true,
    many: 'all',
    dialog: ({ target, count, close }) => <LineSheet request={{ target, count }} onClose={close} />,
  },
  {
    key: 'organization',
    label: 'device.assignOrganization',
    icon: IconBuilding,
    right: 'editDevice',
    menuOnly: true,
    many: 'all',
    dialog: ({ record, target, count, close }) => (
      <EditDevices request={{ target, count, device: record }} organization onClose={close} />
    ),
  },
  {
    key: 'site',
    label: 'device.assignSite',
    icon: IconMapPin,
    right: 'editDevice',
    menuOnly: true,
    many: 'all',
    dialog: ({ record, target, count, close }) => (
      <AssignSite
        request={{ target, count, ...(record ? { name: record.name, site: record.site?.id } : {}) }}
        onClose={close}
      />
    ),
  },
  {
    key: 'tags',
    label: 'device.editTags',
    icon: IconTag,
    right: 'editDevice',
    menuOnly: true,
    many: 'all',
    dialog: ({ record, target, count, close }) => (
      <EditTags request={{ target, count, device: record }} onClose={close} />
    ),
  },
  ...(['add', 'remove'] as const).map((change): ListAction<DeviceRecord> => ({
    key: `${change}Group`,
    label: change === 'add' ? 'device.addToGroup' : 'device.removeFromGroup',
    icon: change === 'add' ? IconStackPush : IconStackPop,
    right: 'editDevice',
    menuOnly: true,
    many: 'all',
    ...(change === 'remove' ? { when: (d: DeviceRecord) => d.groups.length > 0 } : {}),
    dialog: ({ record, target, count, close }) => (
      <GroupMembers request={{ change, target, count, device: record }} onClose={close} />
    ),
  })),
  {
    key: 'channel',
    label: 'device.assignChannel',
    icon: IconBuildingSkyscraper,
    right: 'allocateChannelOrder',
    menuOnly: true,
    many: 'all',
    dialog: ({ record, target, count, close, deselect }) => (
      <AssignChannel
        request={{ target, count, name: record?.name }}
        onClose={close}
        onDone={() => {
          close();
          deselect();
        }}
      />
    ),
  },
];
