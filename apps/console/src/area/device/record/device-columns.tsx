import type { listDevices } from '@carillon/contracts';
import { linesText } from '@carillon/contracts/device-line';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { deviceHref } from '../../../kit/session/address.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { t } from '../../../kit/text/translate.ts';
import { LinesCell } from './lines.tsx';

/**
 * The columns of a device, wherever devices are listed. Those that are shown at first fit beside the menu in a window
 * of 1440, with a scroll bar that takes room.
 */
export const deviceColumns: readonly ListColumn<typeof listDevices>[] = [
  { key: 'state', type: 'state', title: 'device.state', sort: true, live: true, phone: 'state', value: (d) => d.state },
  {
    key: 'name',
    type: 'text',
    title: 'device.name',
    width: 166,
    sort: true,
    fixed: true,
    link: deviceHref,
    value: (d) => d.name,
  },
  { key: 'model', type: 'text', title: 'device.model', width: 140, sort: true, value: (d) => d.model },
  { key: 'mac', type: 'code', title: 'device.mac', sort: true, value: (d) => macText(d.mac) },
  { key: 'sn', type: 'code', title: 'device.sn', sort: true, optional: true, value: (d) => d.sn },
  {
    key: 'site',
    type: 'text',
    title: 'device.site',
    width: 130,
    optional: true,
    live: true,
    value: (d) => d.site?.name,
  },
  {
    key: 'groups',
    type: 'names',
    title: 'device.groups',
    width: 160,
    optional: true,
    live: true,
    value: (d) => d.groups.map((g) => g.name),
  },
  {
    key: 'tags',
    type: 'names',
    title: 'device.tags',
    width: 160,
    optional: true,
    live: true,
    value: (d) => Object.entries(d.tags).map((tag) => tag.join(': ')),
  },
  {
    key: 'lines',
    type: 'text',
    title: 'device.lines',
    width: 86,
    live: true,
    value: (d) => linesText(d.lines, d.onlineSince !== null),
    show: (d) => <LinesCell device={d} />,
  },
  {
    key: 'account',
    type: 'names',
    title: 'device.account',
    width: 200,
    optional: true,
    live: true,
    unwritten: true,
    value: (d) => d.lines.flatMap((l) => (l.account ? [`${l.account}: ${t(`line.${l.status}`)}`] : [])),
  },
  {
    key: 'firmware',
    type: 'text',
    title: 'device.firmware',
    width: 108,
    sort: true,
    live: true,
    value: (d) => d.firmware,
  },
  {
    key: 'internalIp',
    type: 'code',
    title: 'device.internalIp',
    width: 114,
    sort: true,
    live: true,
    value: (d) => d.internalIp,
  },
  { key: 'publicIp', type: 'code', title: 'device.publicIp', width: 130, optional: true, value: (d) => d.publicIp },
  { key: 'lte', type: 'text', title: 'device.lte', width: 120, optional: true, value: (d) => d.lte },
  {
    key: 'dnd',
    type: 'word',
    title: 'device.dnd',
    optional: true,
    live: true,
    value: (d) => d.dnd && `dnd.${d.dnd}`,
  },
  {
    key: 'certificate',
    type: 'word',
    title: 'device.certificate',
    optional: true,
    live: true,
    value: (d) => (d.certificate === null ? null : `device.certificate${d.certificate ? 'Yes' : 'No'}`),
  },
  {
    key: 'lastOnlineAt',
    type: 'moment',
    title: 'device.lastOnline',
    sort: true,
    live: true,
    value: (d) => d.lastOnlineAt,
    show: (d) => (d.onlineSince === null ? moment(d.lastOnlineAt) : t('device.now')),
  },
  {
    key: 'onlineSince',
    type: 'moment',
    title: 'device.onlineSince',
    optional: true,
    live: true,
    value: (d) => d.onlineSince,
  },
  {
    key: 'lastConfigAt',
    type: 'moment',
    title: 'device.lastConfig',
    optional: true,
    live: true,
    value: (d) => d.lastConfigAt,
  },
  { key: 'createdAt', type: 'moment', title: 'device.created', sort: true, optional: true, value: (d) => d.createdAt },
];
