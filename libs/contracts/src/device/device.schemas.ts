import { z } from 'zod';
import { linesPerDevice } from '../define/constant.ts';
import { choice, filters, flag, moment, mostStoredTexts, number, orEmpty, parts, text } from '../define/filter.ts';
import { id, instant, many, pageQuery, sortBy } from '../define/list.ts';
import { doorStatuses, lineStatuses, sipCode } from '../link/link.schemas.ts';
import { macDigits } from './mac-digits.ts';

/** MAC in any usual spelling, stored as 12 lower-case hex digits (DEV-03). */
export const mac = z
  .string()
  .max(32)
  .transform((v) => v.trim().replace(/[:-]/g, '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{12}$/, 'device.macFormat'));

/**
 * Returns a MAC from a spreadsheet as 12 lower-case digits. Unlike a form, a file may group them with dots, as network
 * equipment prints them. Any other text comes back for the schema to refuse.
 */
export const importedMac = (text: string): string => {
  const plain = text.trim().toLowerCase();
  return plain.replaceAll(/^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}$/.test(plain) ? '.' : /[:-]/g, '');
};

/** A MAC of a network card: not all zeros, not broadcast and not multicast (IEEE 802, the lowest bit). */
export const ownMac = mac.refine((v) => !/^(0{12}$|.[13579bdf])/.test(v), 'device.macNotOwn');

/**
 * A claim code of a device's label in any usual spelling, stored as capital letters and digits. With the serial number
 * it proves who owns the MAC (docs/adr/0047).
 */
export const claimCode = z
  .string()
  .max(96)
  .transform((v) => v.replaceAll(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9]{6,64}$/, 'device.claimCodeFormat'));

/** The address that the installation publishes for devices; null when none is configured. */
export const connectAddress = z.string().nullable();

/** Spec, section 4. */
export const deviceStates = ['online', 'offline', 'notConfigured', 'abnormal'] as const;
export type DeviceState = (typeof deviceStates)[number];

/**
 * Whether a device has the configuration that the platform made for it: it reports another one (`behind`), or none was
 * made. `drifted` are those behind that had it and report another one, or did not load it although they had time.
 */
export const configStates = ['current', 'behind', 'drifted', 'none'] as const;
export type ConfigState = (typeof configStates)[number];
/** How a device was last online: over its MQTT connection, or as a phone that asks for its files over HTTP. */
export const deviceChannels = ['mqtt', 'http'] as const;
export const dndStates = ['on', 'off', 'unsupported'] as const;

/** Most tags of a device (DEV-14). */
export const maxTags = 20;
/** Letters, digits and a few marks, so that `key=value` is unambiguous. */
export const tagKey = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,31}$/u, 'device.tagKey');
export const tagValue = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{C}]*$/u, 'device.tagValue');
const tags = z.record(z.string(), z.string());

const line = z.object({
  line: z.number().int(),
  account: z.string().optional(),
  server: z.string().optional(),
  status: z.enum(lineStatuses),
  code: sipCode.optional(),
});

/** Where a device said its hello: the address that the gateway saw, and the one that the device named. */
const place = z.object({ address: z.string(), ip: z.string(), sn: z.string() });
export type DevicePlace = z.output<typeof place>;

const door = z.object({ door: z.number().int(), status: z.enum(doorStatuses) });
export type DoorStatus = z.output<typeof door>['status'];

export const deviceRecord = z
  .object({
    id,
    orgId: id,
    mac: z.string(),
    name: z.string(),
    model: z.string(),
    sn: z.string(),
    firmware: z.string().nullable(),
    hardware: z.string().nullable(),
    state: z.enum(deviceStates),
    /** False: the device is refused, and its open connections are closed. */
    enabled: z.boolean(),
    internalIp: z.string().nullable(),
    publicIp: z.string().nullable(),
    lte: z.string().nullable(),
    dnd: z.enum(dndStates).nullable(),
    /** Null until it has been online. */
    channel: z.enum(deviceChannels).nullable(),
    certificate: z.boolean().nullable(),
    lines: z.array(line),
    /** As the device last reported them; unknown while it is offline. */
    doors: z.array(door),
    calls: z.number().int(),
    capabilities: z.array(z.string()),
    /** Actions that its model does not support: they are not offered, whatever the device announces (CFG-03). */
    unsupported: z.array(z.string()),
    configVersion: z.string().nullable(),
    /** Since when it has drifted from the configuration that it is to have; null: it has not. */
    configDriftedAt: z.string().nullable(),
    /** Whether the device could not apply its last configuration. */
    configFailed: z.boolean(),
    site: z.object({ id, name: z.string() }).nullable().optional(),
    /** The SIP server that it is configured for. */
    server: z.object({ id, name: z.string() }).nullable().optional(),
    /**
     * The site whose segments contain one of its addresses, when it is not in that site; set for a single device, not
     * in lists.
     */
    offeredSite: z.object({ id, name: z.string(), segment: z.string(), ip: z.string() }).nullable().optional(),
    /** The places of two devices that use this identity in turn, in the last ten minutes; otherwise null. */
    sharedIdentity: z.array(place).nullable().optional(),
    /** Devices of a group with a rule follow it; they are added to other groups by hand. */
    groups: z.array(z.object({ id, name: z.string(), byRule: z.boolean().optional() })),
    /** Null until the device service has received the organization. */
    organization: z.object({ id, name: z.string() }).nullable().optional(),
    /** The accounts that lines are to have, without those that the caller does not see. */
    accounts: z.array(z.object({ line: z.number().int(), number: z.string(), server: z.string() })).optional(),
    /** Values by their keys. */
    tags,
    /** When it was last seen; for an online device the minute of the response. */
    lastOnlineAt: z.string().nullable(),
    /** Set while it is online. */
    onlineSince: z.string().nullable(),
    lastConfigAt: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'Device' });
export type DeviceRecord = z.output<typeof deviceRecord>;

/** The copy that other services keep. `ownerEpoch` rises when the device goes to another company. */
export const deviceView = z.object({
  id,
  orgId: id,
  mac: z.string(),
  name: z.string(),
  model: z.string(),
  sn: z.string(),
  firmware: z.string().nullable(),
  internalIp: z.string().nullable(),
  configured: z.boolean(),
  failedLines: z.number().int(),
  configFailed: z.boolean(),
  capabilities: z.array(z.string()),
  ownerEpoch: z.number().int(),
  siteId: id.nullable().optional(),
  /** The SIP server that was chosen for it. */
  serverId: id.nullable().optional(),
  /**
   * SIP accounts by line, with the state and the account that the device reports for the line, if it names one. A line
   * keeps its former account until the device loads the new one.
   */
  accounts: z
    .array(
      z.object({
        line: z.number().int(),
        accountId: id,
        status: z.enum(lineStatuses),
        reported: z.string().optional(),
      }),
    )
    .optional(),
  /** The device groups that contain it. */
  groupIds: z.array(id).optional(),
  tags: tags.optional(),
  enabled: z.boolean().optional(),
  /** Number of doors, from its model or its own report; null when neither says. */
  doorCount: z.number().int().nullable().optional(),
  /** Changes with the device's secret, and reveals nothing of it. */
  secretMark: z.string().optional(),
  /** Version of the configuration that it reports; null: none. */
  configVersion: z.string().nullable().optional(),
  /** It has drifted from the configuration that it is to have. */
  configDrifted: z.boolean().optional(),
});
export type DeviceView = z.output<typeof deviceView>;

/** The accounts that lines are to have. */
export const deviceLines = z
  .array(z.strictObject({ line: z.number().int().min(1).max(linesPerDevice, 'device.linesMany'), accountId: id }))
  .max(linesPerDevice, 'device.linesMany')
  .refine((lines) => new Set(lines.map((l) => l.line)).size === lines.length, 'device.lineTwice');

/** Leading digits of a MAC in any usual spelling. */
export const macPart = z
  .string()
  .max(32)
  .transform(macDigits)
  .pipe(z.string().regex(/^[0-9a-f]{1,12}$/, 'device.macFormat'));

/**
 * Filters of the device list, which a task can target too: `search` means "contains" in name, MAC, SN or IP; for the
 * others see define/filter.ts.
 */
const deviceFilterOf = (mostTexts?: number) => ({
  search: z.string().trim().max(128).optional(),
  ...filters({
    state: choice(z.enum(deviceStates)),
    name: text(128, mostTexts),
    model: text(128, mostTexts),
    mac: { ...choice(mac), '.contains': parts(macPart, mostTexts) },
    sn: text(128, mostTexts),
    firmware: orEmpty(text(128, mostTexts)),
    internalIp: orEmpty(text(64, mostTexts)),
    orgId: choice(id),
    /** `none`: devices without a site, older spelling of `site.empty`. */
    site: orEmpty(choice(z.union([id, z.literal('none')]))),
    /** In any of these device groups; `none`: in no group. */
    group: orEmpty(choice(z.union([id, z.literal('none')]))),
    /** `key=value`, or a key alone for any value. */
    tag: orEmpty(choice(z.string().min(1).max(97))),
    enabled: flag,
    config: choice(z.enum(configStates)),
    lastOnlineAt: orEmpty(moment),
    onlineSince: orEmpty(moment),
  }),
});
export const deviceFilter = deviceFilterOf();
/** The same as it may have been stored. */
const storedFilter = deviceFilterOf(mostStoredTexts);
/**
 * Fields that a rule of a device group may use: those that do not change when a device connects or disconnects. Lines
 * and calls would move devices in and out all day.
 */
export const ruleFields = ['name', 'model', 'mac', 'sn', 'firmware', 'internalIp', 'site', 'tag'] as const;
type RuleField = (typeof ruleFields)[number];
type RuleParameter = Extract<keyof typeof deviceFilter, RuleField | `${RuleField}.${string}`>;
/** A filter with at least one condition, so that no rule takes every device by mistake. */
const ruleOf = (filter: typeof deviceFilter) =>
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(filter).filter(([parameter]) => ruleFields.includes(parameter.split('.')[0] as RuleField)),
      ) as Pick<typeof deviceFilter, RuleParameter>,
    )
    .refine((rule) => Object.values(rule).some((value) => value !== undefined), 'deviceGroup.ruleEmpty');
export const deviceRule = ruleOf(deviceFilter);
export const storedRule = ruleOf(storedFilter);
/** Most groups of a company with a rule: each changed device is tested against all of them. */
export const maxRules = 200;
/** Most texts that the rules of a company search for. */
export const maxRulePatterns = 500;
export type DeviceRule = z.output<typeof deviceRule>;
export const deviceFilterSchema = z.object(deviceFilter);
export type DeviceFilter = z.output<typeof deviceFilterSchema>;

/**
 * Either named devices, or all that match a filter except some: a selection of any size in one small body. A misspelt
 * filter is refused, because ignoring it would select every device.
 */
const targetOf = <F extends z.ZodRawShape>(filter: F) =>
  z.union([
    z.strictObject({ ids: z.array(id).min(1).max(10_000) }),
    z.strictObject({ filter: z.strictObject(filter), exclude: z.array(id).max(10_000).optional() }),
  ]);
export const deviceTarget = targetOf(deviceFilter);
export const storedTarget = targetOf(storedFilter);
export type DeviceTarget = z.output<typeof deviceTarget>;

export const deviceSorts = [
  'name',
  'mac',
  'model',
  'sn',
  'firmware',
  'state',
  'internalIp',
  'lastOnlineAt',
  'createdAt',
] as const;
/** Filters that the device service evaluates itself: fields that the task service does not copy. */
export const lookFilter = filters({
  line: choice(z.enum(lineStatuses)),
  account: text(),
  /** `none`: devices without a server. */
  sipServer: orEmpty(choice(z.union([id, z.literal('none')]))),
  /** Result of the device in a bulk change: id of the change, a dot and the state. */
  change: {
    '': many(z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(done|unchanged|failed|waiting)$/)),
  },
  hardware: orEmpty(text()),
  publicIp: orEmpty(text(64)),
  lte: orEmpty(text()),
  dnd: orEmpty(choice(z.enum(dndStates))),
  channel: orEmpty(choice(z.enum(deviceChannels))),
  certificate: { ...flag, ...orEmpty({}) },
  calls: number,
  configVersion: orEmpty(text()),
  lastConfigAt: orEmpty(moment),
  createdAt: moment,
});
/** Devices of a call that the device service answers itself: it takes every filter of the list. */
export const listedTarget = targetOf({ ...deviceFilter, ...lookFilter });
export type ListedTarget = z.output<typeof listedTarget>;

export const deviceListQuery = z.object({
  ...deviceFilter,
  ...lookFilter,
  /** Older spelling of `lastOnlineAt.from` and `lastOnlineAt.to`. */
  lastOnlineFrom: instant.optional(),
  lastOnlineTo: instant.optional(),
  ...pageQuery,
  sort: sortBy(deviceSorts),
});
