import { z } from 'zod';
import { linesPerDevice } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { lineStatuses, sipCode } from '../link/link.schemas.ts';

/** A line of a device: the account that it is to have, and the state that the device reports. */
const deviceLine = z.object({
  line: z.number().int(),
  account: z.object({ id, name: z.string(), number: z.string(), server: z.string() }).nullable(),
  reported: z
    .object({
      account: z.string().optional(),
      server: z.string().optional(),
      status: z.enum(lineStatuses),
      code: sipCode.optional(),
      /** When the line failed; absent for other states, and when the device log no longer knows. */
      failedAt: z.string().optional(),
    })
    .nullable(),
});
const lines = z.array(deviceLine);
/** Lists SIP servers to choose from, for users who see devices. */
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

/** Lists accounts to choose from, for users who assign them. */
export const listAccountNames = route({
  method: 'GET',
  path: '/api/f/device/line/account',
  summary: 'SIP accounts to choose from',
  permission: 'assignSipAccount',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    id: id.optional(),
    /** Only accounts of this SIP server. */
    serverId: id.optional(),
  }),
  response: z.array(z.object({ id, name: z.string(), number: z.string(), server: z.string(), devices: z.number() })),
  errors: [],
});

/**
 * Assigns an account to a line, by default to the first free one, and replaces the account that the line had. `also`
 * names other lines with the same account: all of them register, and a call rings on one or on several.
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
