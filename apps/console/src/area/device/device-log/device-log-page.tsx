import { useCallback, useMemo } from 'react';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { DeviceLogKind } from '@carillon/contracts';
import { formerSpans } from '../../../kit/grid/filter.ts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { several } from '../../../kit/browser/address.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceQuery } from '../record/device.calls.ts';
import { listDeviceLog, type Entry } from './device-log.calls.ts';
import { allKinds } from './history-kinds.ts';
import { What } from './what-cell.tsx';
import { useWhat } from './what.ts';

/** Returns the link to the device's log; a deleted device has nothing but its entries. */
const hrefOf = (e: Entry) =>
  e.name === null ? `/device/deviceLog?deviceId=${e.deviceId}` : `/device/deviceDetail?id=${e.deviceId}&tab=log`;

/** Shows the events of the devices that the user sees (SYS-05). */
export function DeviceLogPage() {
  const { t } = useText();
  const what = useWhat();
  const ids = several(useSearch({ from: '/_main/device/deviceLog' }).deviceId) ?? [];
  const [id] = ids;
  const { data: device } = useQuery({ ...deviceQuery(id ?? ''), enabled: id !== undefined, retry: false });
  const nameOf = useCallback((e: Entry) => e.name ?? `${macText(e.mac)} (${t('deviceLog.deleted')})`, [t]);
  const columns = useMemo(
    (): ListColumn<typeof listDeviceLog>[] => [
      {
        key: 'at',
        type: 'moment',
        title: 'deviceLog.time',
        sort: true,
        fixed: true,
        phone: 'extra',
        value: (e) => e.at,
      },
      {
        key: 'name',
        type: 'text',
        title: 'deviceLog.device',
        sort: true,
        width: 190,
        value: nameOf,
        show: (e) => (
          <Link to={hrefOf(e)} className="link">
            {nameOf(e)}
          </Link>
        ),
      },
      { key: 'mac', type: 'code', title: 'device.mac', sort: true, value: (e) => macText(e.mac) },
      {
        key: 'kind',
        type: 'word',
        title: 'deviceLog.kind',
        sort: true,
        width: 140,
        phone: 'state',
        value: (e) => `deviceLog.kind.${e.kind}`,
      },
      {
        key: 'detail',
        type: 'text',
        title: 'deviceLog.detail',
        width: 292,
        phone: 'sub',
        value: what,
        show: (e) => <What entry={e} />,
      },
    ],
    [nameOf, what],
  );
  return (
    <ListPage
      name="deviceLog"
      kind="device"
      route="/_main/device/deviceLog"
      list={listDeviceLog}
      service="device"
      former={formerSpans}
      title="menu.deviceLogs"
      icon={IconHistory}
      texts="deviceLog"
      columns={columns}
      filters={[
        { key: 'kind', title: 'deviceLog.kind', values: allKinds, word: (k: DeviceLogKind) => `deviceLog.kind.${k}` },
        { key: 'at', kind: 'moment', title: 'deviceLog.time' },
        {
          key: 'deviceId',
          title: 'deviceLog.device',
          hidden: true,
          options: ([first]) =>
            ids.map((value) => ({
              value,
              label: value === id ? (device?.name ?? macText(first?.mac ?? id)) : value,
            })),
        },
      ]}
      label={(e) => t(`deviceLog.kind.${e.kind}`)}
      phone={(e) => ({ title: nameOf(e), sub: what(e) })}
      drawer={{ parameter: 'entry', keep: (e) => e }}
    />
  );
}
