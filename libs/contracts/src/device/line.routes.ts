import { z } from 'zod';
import { linesPerDevice } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { lineStatuses } from '../link/link.schemas.ts';

/** One of a device's lines: what it is to have, and what the device says that it has. */
const deviceLine = z.object({
  line: z.number().int(),
  account: z.object({ id, name: z.string(), number: z.string(), server: z.string() }).nullable(),
  reported: z
    .object({ account: z.string().optional(), server: z.string().optional(), status: z.enum(lineStatuses) })
    .nullable(),
});
const lines = z.array(deviceLine);
/** SIP servers to choose from, for whoever sees devices. */
export const listServerNames = route({
  method: 'GET',
  path: '/api/f/device/line/server',
  summary: 'SIP servers to choose from',
  permission: 'device',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string(), address: z.string() })),
  errors: [],
});

const line = z.number().int().min(1).max(linesPerDevice);

export const listDeviceLines = route({
  method: 'GET',
  path: '/api/f/device/line',
  summary: 'Lines of a device with their accounts',
  permission: 'device',
  audit: 'none',
  query: z.object({ deviceId: id }),
  response: lines,
  errors: [],
});

/** What a line can have, for whoever assigns accounts. */
export const listAccountNames = route({
  method: 'GET',
  path: '/api/f/device/line/account',
  summary: 'SIP accounts to choose from',
  permission: 'assignSipAccount',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    id: id.optional(),
    /** Of this SIP server only. */
    serverId: id.optional(),
  }),
  response: z.array(z.object({ id, name: z.string(), number: z.string(), server: z.string(), devices: z.number() })),
  errors: [],
});

/**
 * Without `line` the first free one. A line that has another account has this one then. `also` names other lines with
 * the same account: both would register, and a call rings at one of them or at both.
 */
export const assignAccount = route({
  method: 'POST',
  path: '/api/f/device/line',
  summary: 'Give a line a SIP account',
  permission: 'assignSipAccount',
  audit: 'sipAccount.assign',
  body: z.strictObject({ deviceId: id, accountId: id, line: line.optional() }),
  response: z.object({
    line: z.number().int(),
    lines,
    also: z.array(z.object({ id, name: z.string(), line: z.number().int() })),
  }),
  errors: ['device.linesFull', 'device.linesMany', 'fcs.off'],
});

export const unassignAccount = route({
  method: 'DELETE',
  path: '/api/f/device/line',
  summary: 'Take the SIP account from a line',
  permission: 'assignSipAccount',
  audit: 'sipAccount.unassign',
  query: z.object({ deviceId: id, line: z.coerce.number().int().min(1).max(linesPerDevice) }),
  response: lines,
  errors: [],
});
