import { exportCalls, exportOf, factsText, macText } from '../define/export.ts';
import { listDevices } from './device.routes.ts';
import type { DeviceRecord } from './device.schemas.ts';
import { listChannelOrders } from './channel-order.routes.ts';
import { listChannelStatistics } from './channel-statistic.routes.ts';
import { listDeliveries } from './delivery.routes.ts';
import { listModels } from './model.routes.ts';
import { listDeviceLog } from './device-log.routes.ts';
import { lineColumns, linesText, lineText, type LineColumn } from './device.line.ts';

const lines = Object.fromEntries(
  lineColumns.map(({ line, key }) => [key, ['text', (d: DeviceRecord) => lineText(d, line)]]),
) as unknown as Record<LineColumn, readonly ['text', (d: DeviceRecord) => string | undefined]>;

export const deviceExport = exportOf(
  listDevices,
  { what: 'devices', path: '/api/f/device/export', permission: 'exportDevice', audit: 'device.export' },
  {
    state: 'word',
    name: 'text',
    model: 'text',
    mac: ['text', (d) => macText(d.mac)],
    sn: 'text',
    site: ['text', (d) => d.site?.name],
    sipServer: ['text', (d) => d.server?.name],
    organization: ['text', (d) => d.organization?.name],
    // Groups with rules are left out, because an import cannot add a device to them.
    groups: ['names', (d) => d.groups.map((g) => g.name)],
    tags: ['names', (d) => Object.entries(d.tags).map(([key, value]) => `${key}: ${value}`)],
    ...lines,
    lines: ['text', (d) => linesText(d.lines, d.onlineSince !== null)],
    firmware: 'text',
    hardware: 'text',
    internalIp: 'text',
    publicIp: 'text',
    lte: 'text',
    dnd: 'word',
    channel: 'word',
    certificate: 'word',
    lastOnlineAt: 'moment',
    onlineSince: 'moment',
    lastConfigAt: 'moment',
    createdAt: 'moment',
  },
);
export const addDeviceExport = deviceExport.add;

export const modelExport = exportOf(
  listModels,
  { what: 'models' },
  {
    name: 'text',
    showName: 'text',
    series: 'text',
    type: 'word',
    sipCount: 'number',
    doorCount: 'number',
    softDssKeys: 'number',
    devices: 'number',
    supplied: 'word',
    internalName: 'text',
    dssKeysPerPage: 'number',
    dssKeyPages: 'number',
    sideKeysPerPage: 'number',
    sideKeyPages: 'number',
    secondScreen: 'word',
    mutualAuth: 'word',
    updatedAt: 'moment',
  },
);
export const addModelExport = modelExport.add;
export const deviceLogExport = exportOf(
  listDeviceLog,
  { what: 'the log of devices' },
  {
    at: 'moment',
    name: ['text', (e) => e.name ?? macText(e.mac)],
    mac: ['text', (e) => macText(e.mac)],
    kind: 'word',
    detail: ['text', (e) => factsText(e.detail)],
  },
);
export const addDeviceLogExport = deviceLogExport.add;

export const channelOrderExport = exportOf(
  listChannelOrders,
  { what: 'channel orders' },
  {
    mac: ['text', (o) => macText(o.mac)],
    model: 'text',
    order: 'text',
    status: 'word',
    company: ['text', (o) => o.company?.name],
    source: 'word',
    from: 'text',
    inAt: 'moment',
    assignedAt: 'moment',
    inUse: ['word', (o) => o.deviceId !== null],
  },
);
export const addChannelOrderExport = channelOrderExport.add;
export const channelStatisticExport = exportOf(
  listChannelStatistics,
  { what: 'the statistics of channels' },
  {
    name: 'text',
    status: 'word',
    devices: 'number',
    online: 'number',
    offline: 'number',
    abnormal: 'number',
    notConfigured: 'number',
    below: 'number',
    belowAbnormal: 'number',
    belowOffline: 'number',
  },
);
export const addChannelStatisticExport = channelStatisticExport.add;
export const deliveryExport = exportOf(
  listDeliveries,
  { what: 'delivery lists' },
  {
    mac: ['text', (d) => macText(d.mac)],
    sn: 'text',
    state: 'word',
    company: 'text',
    claimedAt: 'moment',
    importedAt: 'moment',
  },
);
export const addDeliveryExport = deliveryExport.add;
export const deviceExports = exportCalls('device');
export const {
  list: listDeviceExports,
  get: getDeviceExport,
  file: getDeviceExportFile,
  remove: deleteDeviceExport,
} = deviceExports;
