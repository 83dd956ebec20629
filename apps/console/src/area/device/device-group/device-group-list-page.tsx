import { IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteDeviceGroup, listDeviceGroups, restoreDeviceGroups, type DeviceGroup } from './device-group.calls.ts';

const DeviceGroupDialog = lazy(() => import('./device-group-dialog.tsx'));

const columns: ListColumn<typeof listDeviceGroups>[] = [
  { key: 'name', type: 'text', title: 'deviceGroup.name', sort: true, fixed: true, value: (g) => g.name },
  {
    key: 'description',
    type: 'text',
    title: 'deviceGroup.description',
    sort: true,
    width: 232,
    phone: 'sub',
    value: (g) => g.description,
  },
  {
    key: 'organization',
    type: 'text',
    title: 'deviceGroup.organization',
    width: 150,
    sort: true,
    phone: 'extra',
    value: (g) => g.organization?.name,
  },
  {
    key: 'devices',
    type: 'number',
    title: 'deviceGroup.devices',
    width: 90,
    sort: true,
    live: true,
    value: (g) => g.devices,
    show: (g) => <DeviceCount group={g} />,
  },
  {
    key: 'byRule',
    type: 'word',
    title: 'deviceGroup.members',
    width: 100,
    live: true,
    value: (g) => (g.applying ? 'deviceGroup.applying' : g.rule ? 'deviceGroup.byRule' : 'deviceGroup.byHand'),
  },
  { key: 'updatedAt', type: 'moment', title: 'deviceGroup.updated', sort: true, value: (g) => g.updatedAt },
];

/** Links to the group's devices for users who may list devices. */
function DeviceCount({ group }: { group: DeviceGroup }) {
  const mayList = useGranted('/device/list');
  if (!mayList) return <>{count(group.devices)}</>;
  return (
    <Link to="/device/list" search={{ group: [group.id] } as never}>
      {count(group.devices)}
    </Link>
  );
}

/** Lists groups of devices (DEV-12). */
export function DeviceGroupListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="deviceGroup"
      route="/_main/device/group"
      list={listDeviceGroups}
      service="device"
      title="menu.deviceGroups"
      icon={IconStack2}
      texts="deviceGroup"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'deviceGroup.name' },
        { key: 'description', kind: 'text', empties: true, title: 'deviceGroup.description' },
        { key: 'devices', kind: 'number', title: 'deviceGroup.devices' },
        {
          key: 'byRule',
          kind: 'flag',
          title: 'deviceGroup.members',
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => (yes === 'true' ? 'deviceGroup.byRule' : 'deviceGroup.byHand'),
        },
        { key: 'updatedAt', kind: 'moment', title: 'deviceGroup.updated' },
      ]}
      label={(g) => g.name}
      phone={(g) => ({ state: t('deviceGroup.deviceCount', { count: g.devices, number: count(g.devices) }) })}
      add={{
        label: 'deviceGroup.add',
        right: 'addDeviceGroup',
        dialog: (close) => <DeviceGroupDialog group={undefined} onClose={close} />,
      }}
      drawer={{ parameter: 'group' }}
      edit={{
        right: 'editDeviceGroup',
        dialog: (group, close) => <DeviceGroupDialog group={group} onClose={close} />,
      }}
      remove={{
        right: 'deleteDeviceGroup',
        dialog: ({ id, name, devices, rule }, close) => (
          <DeleteDialog
            noun="deviceGroup"
            name={name}
            text={t('deviceGroup.deleteText')}
            stays={
              devices === 0
                ? undefined
                : t(rule ? 'deviceGroup.deleteRuled' : 'deviceGroup.deleteUsed', {
                    count: devices,
                    number: count(devices),
                  })
            }
            remove={() => call(deleteDeviceGroup, { query: { id } })}
            restore={() => call(restoreDeviceGroups, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
