import { z } from 'zod';
import { linesPerDevice, sheetDevices, sheetPart } from '../define/constant.ts';
import { id, many } from '../define/list.ts';
import { route } from '../define/route.ts';

const line = z.number().int().min(1).max(linesPerDevice);
const sheetAccount = z.object({
  id,
  name: z.string(),
  number: z.string(),
  server: z.string(),
  /** Another account that the caller sees has the same number: a cell then names the server, `2001@PBX`. */
  ambiguous: z.boolean(),
});

/** Lists the lines of devices as rows of a spreadsheet, by name. Devices that the caller does not see are left out. */
export const listLineSheet = route({
  method: 'GET',
  path: '/api/f/device/line/sheet',
  summary: 'Lines of several devices with their accounts',
  permission: 'assignSipAccount',
  audit: 'none',
  query: z.object({ ids: many(id, sheetPart) }),
  response: z.array(
    z.object({
      id,
      name: z.string(),
      mac: z.string(),
      model: z.string(),
      /** Number of lines of its model, at most as many as a device may have (DEV-02). */
      lines: z.number().int(),
      /** The account is null when the caller does not see it. */
      accounts: z.array(z.object({ line: z.number().int(), accountId: id, account: sheetAccount.nullable() })),
    }),
  ),
  errors: [],
});

/** Finds the accounts that texts of cells mean: a number, or a number, `@` and the name of a SIP server. */
export const findLineAccounts = route({
  method: 'GET',
  path: '/api/f/device/line/sheet/account',
  summary: 'SIP accounts by number, or by number and server',
  permission: 'assignSipAccount',
  audit: 'none',
  query: z.object({ text: many(z.string().trim().min(1).max(160), sheetPart) }),
  response: z.array(
    z.object({
      text: z.string(),
      /** Several accounts when the text is ambiguous, at most five. */
      accounts: z.array(sheetAccount.extend({ closed: z.boolean(), devices: z.number().int() })),
    }),
  ),
  errors: [],
});

const lineChange = z.strictObject({
  line,
  /** Null frees the line. */
  accountId: id.nullable(),
  /** The account that the caller saw on the line: the device is left as it is when it has another one meanwhile. */
  was: id.nullable(),
});

/**
 * Sets the accounts of lines of up to 500 devices. A device is saved with all its lines or not at all; the others are
 * saved when one is refused, and each refused one has its reason in the caller's language.
 */
export const saveLineSheet = route({
  method: 'PUT',
  path: '/api/f/device/line/sheet',
  summary: 'Set the SIP accounts of many lines',
  permission: 'assignSipAccount',
  audit: 'sipAccount.assignMany',
  bodyLimit: 1_048_576,
  body: z.strictObject({
    devices: z
      .array(
        z.strictObject({
          deviceId: id,
          lines: z
            .array(lineChange)
            .min(1)
            .max(linesPerDevice)
            .refine((lines) => new Set(lines.map((l) => l.line)).size === lines.length, 'device.lineTwice'),
        }),
      )
      .min(1)
      .max(sheetDevices)
      .refine((devices) => new Set(devices.map((d) => d.deviceId)).size === devices.length, 'device.deviceTwice'),
  }),
  response: z.object({
    results: z.array(
      z.object({
        deviceId: id,
        /** Number of lines that have another account now. */
        changed: z.number().int(),
        error: z.string().nullable(),
        msg: z.string().nullable(),
        /** The line that was refused, when the reason concerns one. */
        line: z.number().int().nullable(),
      }),
    ),
  }),
  errors: ['device.lineTwice', 'device.deviceTwice'],
});
