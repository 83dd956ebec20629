import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, moment } from '../define/filter.ts';
import { id, instant, listOf, pageQuery, sortBy } from '../define/list.ts';

/**
 * Kinds of device log entries: the device connected or disconnected, started, changed its firmware, configuration or
 * line state, sent an event of its own (device-link.md, kind `event`), replaced or was replaced by another device
 * (DEV-13; `detail` has the id and MAC of the other one), drifted from the configuration that it is to have or has it
 * again, or another device began to use its identity (`detail` has both places). The others are the changes of users
 * and of the platform, with the user's name in `by`: the device came to the company or left it (`detail` has the step
 * of custody with the other company's name, and the id of the company's former device with this MAC), moved to another
 * site or organization, got another account on a line, another secret or other values (`detail` has the former and the
 * new ones by field), or a task ended for it.
 */
export const deviceLogKinds = [
  'online',
  'offline',
  'boot',
  'firmware',
  'config',
  'drift',
  'line',
  'registrationFailed',
  'factoryReset',
  'reboot',
  'tamper',
  'replaced',
  'replaces',
  'sharedIdentity',
  'added',
  'restored',
  'deleted',
  'handedOver',
  'moved',
  'account',
  'secret',
  'changed',
  'task',
] as const;
export type DeviceLogKind = (typeof deviceLogKinds)[number];

export const deviceLogRecord = z
  .object({
    id,
    at: z.string(),
    deviceId: id,
    mac: z.string(),
    /** The current name; null for a deleted device. */
    name: z.string().nullable(),
    kind: z.enum(deviceLogKinds),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'DeviceLogEntry' });
export type DeviceLogRecord = z.output<typeof deviceLogRecord>;

/**
 * Lists log entries. The installation sets how many days they are kept; they stay with the organization that the device
 * was in.
 */
export const listDeviceLog = route({
  method: 'GET',
  path: '/api/f/device/log/list',
  summary: 'What happened to devices, newest first',
  permission: 'deviceLog',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({ at: moment, deviceId: choice(id), kind: choice(z.enum(deviceLogKinds)) }),
    /** Both inclusive; older spelling of `at.from` and `at.to`. */
    from: instant.optional(),
    to: instant.optional(),
    ...pageQuery,
    sort: sortBy(['at', 'name', 'mac', 'kind']),
  }),
  response: listOf(deviceLogRecord),
  errors: [],
});
