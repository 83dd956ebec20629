import type { addDeviceExport, DeviceRecord, ExportColumn, RouteInput } from '@carillon/contracts';
import { linesText } from '@carillon/contracts/device-line';
import { renderTime } from '@carillon/contracts/time';

/** What was ordered: which devices, which columns, in which words. */
export type Wanted = RouteInput<typeof addDeviceExport>['body'];

/** The cells of a device, all of them text: nothing a device says becomes a formula. */
export function cellsOf(
  device: DeviceRecord,
  { columns, words, clock }: Pick<Wanted, 'columns' | 'words' | 'clock'>,
): string[] {
  const time = (at: string | null): string => (at === null ? '' : clock ? renderTime(at, clock) : at);
  const cells: Record<ExportColumn, () => string> = {
    state: () => words?.[device.state] ?? device.state,
    name: () => device.name,
    model: () => device.model,
    mac: () => device.mac.toUpperCase().match(/../g)!.join(':'),
    sn: () => device.sn,
    site: () => device.site?.name ?? '',
    groups: () => device.groups.map((g) => g.name).join(', '),
    lines: () => linesText(device.lines, device.onlineSince !== null),
    firmware: () => device.firmware ?? '',
    hardware: () => device.hardware ?? '',
    internalIp: () => device.internalIp ?? '',
    publicIp: () => device.publicIp ?? '',
    lte: () => device.lte ?? '',
    lastOnlineAt: () => time(device.lastOnlineAt),
    onlineSince: () => time(device.onlineSince),
    lastConfigAt: () => time(device.lastConfigAt),
    createdAt: () => time(device.createdAt),
  };
  return columns.map((c) => cells[c.key]());
}
