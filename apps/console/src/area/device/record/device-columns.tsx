import { useMemo } from 'react';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { linesText } from '@carillon/contracts/device-line';
import { deviceHref } from '../../../kit/session/address.ts';
import type { Column } from '../../../kit/grid/grid.types.ts';
import { StateWord } from '../../../kit/part/state.tsx';
import { macText, moment, zoneName } from '../../../kit/text/time.ts';
import { LinesCell } from './lines.tsx';

/**
 * The columns of a device, wherever devices are listed. Those that are shown at first fit beside the menu in a window
 * of 1440.
 */
export function useDeviceColumns(): readonly Column<DeviceRecord>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        key: 'state',
        title: t('device.state'),
        width: 142,
        sortable: true,
        render: (d) => <StateWord state={d.state} />,
        text: (d) => t(`state.${d.state}`),
        live: (d) => d.state,
      },
      {
        key: 'name',
        title: t('device.name'),
        width: 176,
        sortable: true,
        fixed: true,
        render: (d) => d.name,
        text: (d) => d.name,
        link: deviceHref,
      },
      {
        key: 'model',
        title: t('device.model'),
        width: 150,
        sortable: true,
        render: (d) => <span title={d.model}>{d.model}</span>,
        text: (d) => d.model,
      },
      {
        key: 'mac',
        title: t('device.mac'),
        width: 150,
        sortable: true,
        render: (d) => <code>{macText(d.mac)}</code>,
        text: (d) => macText(d.mac),
      },
      {
        key: 'sn',
        title: t('device.sn'),
        width: 150,
        sortable: true,
        optional: true,
        render: (d) => <code>{d.sn}</code>,
        text: (d) => d.sn,
      },
      {
        key: 'site',
        title: t('device.site'),
        width: 130,
        optional: true,
        render: (d) => d.site?.name ?? '–',
        text: (d) => d.site?.name ?? '',
        live: (d) => d.site?.id,
      },
      {
        key: 'lines',
        title: t('device.lines'),
        width: 86,
        render: (d) => <LinesCell lines={d.lines} />,
        text: (d) => linesText(d.lines),
        live: (d) => d.lines.map((l) => l.status).join(),
      },
      {
        key: 'firmware',
        title: t('device.firmware'),
        width: 108,
        sortable: true,
        render: (d) => d.firmware ?? '–',
        text: (d) => d.firmware ?? '',
        live: (d) => d.firmware,
      },
      {
        key: 'internalIp',
        title: t('device.internalIp'),
        width: 120,
        sortable: true,
        render: (d) => (d.internalIp === null ? '–' : <code>{d.internalIp}</code>),
        text: (d) => d.internalIp ?? '',
        live: (d) => d.internalIp,
      },
      {
        key: 'publicIp',
        title: t('device.publicIp'),
        width: 130,
        optional: true,
        render: (d) => (d.publicIp === null ? '–' : <code>{d.publicIp}</code>),
        text: (d) => d.publicIp ?? '',
      },
      {
        key: 'lte',
        title: t('device.lte'),
        width: 120,
        optional: true,
        render: (d) => d.lte ?? '–',
        text: (d) => d.lte ?? '',
      },
      {
        key: 'lastOnlineAt',
        title: t('device.lastOnline'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        render: (d) => moment(d.lastOnlineAt),
        text: (d) => (d.lastOnlineAt === null ? '' : moment(d.lastOnlineAt)),
        live: (d) => d.lastOnlineAt,
      },
      {
        key: 'createdAt',
        title: t('device.created'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        optional: true,
        render: (d) => moment(d.createdAt),
        text: (d) => moment(d.createdAt),
      },
    ],
    [t],
  );
}
