import { z } from 'zod';
import { linesPerDevice } from '../define/constant.ts';
import { choice, filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, instant, many, pageQuery, sortBy } from '../define/list.ts';
import { doorStatuses, lineStatuses } from '../link/link.schemas.ts';

/** MAC in any usual spelling, stored as 12 lower-case hex digits (spec, section 5; DEV-03). */
export const mac = z
  .string()
  .max(32)
  .transform((v) => v.trim().replace(/[:-]/g, '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{12}$/, 'device.macFormat'));

/** A MAC that a network card can have: not all zeros, no broadcast and no multicast (IEEE 802, the lowest bit). */
export const ownMac = mac.refine((v) => !/^(0{12}$|.[13579bdf])/.test(v), 'device.macNotOwn');

/** Spec, section 4. */
export const deviceStates = ['online', 'offline', 'notConfigured', 'abnormal'] as const;
export type DeviceState = (typeof deviceStates)[number];

export const dndStates = ['on', 'off', 'unsupported'] as const;

/** A device has at most so many tags (DEV-14). */
export const maxTags = 20;
/** Letters, digits and a few marks, so that `key=value` is read in one way only. */
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
});

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
    /** False: it is not let in, and what it had open is closed. */
    enabled: z.boolean(),
    internalIp: z.string().nullable(),
    publicIp: z.string().nullable(),
    lte: z.string().nullable(),
    dnd: z.enum(dndStates).nullable(),
    certificate: z.boolean().nullable(),
    lines: z.array(line),
    /** As each last reported itself; of a device that is offline nobody knows. */
    doors: z.array(door),
    calls: z.number().int(),
    capabilities: z.array(z.string()),
    configVersion: z.string().nullable(),
    /** Whether the last one that it was to take could not be taken. */
    configFailed: z.boolean(),
    site: z.object({ id, name: z.string() }).nullable().optional(),
    /** The SIP server that it is set up for. */
    server: z.object({ id, name: z.string() }).nullable().optional(),
    /**
     * The site in whose segments one of its addresses lies, when it is not in it; of one device alone, not in lists.
     */
    offeredSite: z.object({ id, name: z.string(), segment: z.string(), ip: z.string() }).nullable().optional(),
    groups: z.array(z.object({ id, name: z.string() })),
    /** Values by their keys. */
    tags,
    /** When it was last seen; of one that is online the minute of the answer. */
    lastOnlineAt: z.string().nullable(),
    /** Of one that is online. */
    onlineSince: z.string().nullable(),
    lastConfigAt: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'Device' });
export type DeviceRecord = z.output<typeof deviceRecord>;

/** What other services copy. `ownerEpoch` rises when the device goes to another company. */
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
  /** SIP accounts by the line that has each, with the state that the device reports of it. */
  accounts: z.array(z.object({ line: z.number().int(), accountId: id, status: z.enum(lineStatuses) })).optional(),
  /** The device groups that it is in. */
  groupIds: z.array(id).optional(),
  tags: tags.optional(),
  enabled: z.boolean().optional(),
  /** How many doors it has, by its model or its own word; null where neither says. */
  doorCount: z.number().int().nullable().optional(),
});
export type DeviceView = z.output<typeof deviceView>;

/** The accounts that lines are to have. */
export const deviceLines = z
  .array(z.strictObject({ line: z.number().int().min(1).max(linesPerDevice, 'device.linesMany'), accountId: id }))
  .max(linesPerDevice, 'device.linesMany')
  .refine((lines) => new Set(lines.map((l) => l.line)).size === lines.length, 'device.lineTwice');

/** Digits of a MAC in any usual spelling, as many as were typed. */
export const macPart = z
  .string()
  .max(32)
  .transform((v) => v.replace(/[:.\s-]/g, '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{1,12}$/, 'device.macFormat'));

/**
 * Filters of the device list that a task aims by, too: `search` is 'contains' of name, MAC, SN or IP, the others are as
 * define/filter.ts says.
 */
export const deviceFilter = {
  search: z.string().trim().max(128).optional(),
  ...filters({
    state: choice(z.enum(deviceStates)),
    name: text(),
    model: text(),
    mac: { ...choice(mac), '.contains': many(macPart) },
    sn: text(),
    firmware: orEmpty(text()),
    internalIp: orEmpty(text(64)),
    orgId: choice(id),
    /** `none` is those without a site, from before `site.empty`. */
    site: orEmpty(choice(z.union([id, z.literal('none')]))),
    /** In any of these device groups; `none` is those in no group. */
    group: orEmpty(choice(z.union([id, z.literal('none')]))),
    /** `key=value`, or a key alone for any value of it. */
    tag: orEmpty(choice(z.string().min(1).max(97))),
    enabled: flag,
    lastOnlineAt: orEmpty(moment),
    onlineSince: orEmpty(moment),
  }),
};
/**
 * What a rule of a device group may ask for: what stays when a device comes and goes. Where its lines and its calls
 * stand would move devices in and out all day.
 */
export const ruleFields = ['name', 'model', 'mac', 'sn', 'firmware', 'internalIp', 'site', 'tag'] as const;
type RuleField = (typeof ruleFields)[number];
type RuleParameter = Extract<keyof typeof deviceFilter, RuleField | `${RuleField}.${string}`>;
const ruleParameters = Object.fromEntries(
  Object.entries(deviceFilter).filter(([parameter]) => ruleFields.includes(parameter.split('.')[0] as RuleField)),
) as Pick<typeof deviceFilter, RuleParameter>;
/** A filter, of at least one condition: no rule takes every device by mistake. */
export const deviceRule = z
  .strictObject(ruleParameters)
  .refine((rule) => Object.values(rule).some((value) => value !== undefined), 'deviceGroup.ruleEmpty');
/** Groups of a company that may have one: each device that changes is tested against all of them. */
export const maxRules = 200;
export type DeviceRule = z.output<typeof deviceRule>;
export const deviceFilterSchema = z.object(deviceFilter);
export type DeviceFilter = z.output<typeof deviceFilterSchema>;

/**
 * Either named devices, or all that match a filter but those left out: a selection of any size in one small body. A
 * misspelt filter is refused: passed over, it would choose every device there is.
 */
export const deviceTarget = z.union([
  z.strictObject({ ids: z.array(id).min(1).max(10_000) }),
  z.strictObject({ filter: z.strictObject(deviceFilter), exclude: z.array(id).max(10_000).optional() }),
]);
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
/** Filters of the list, the counts and files alone: what a task's own copy of a device does not hold. */
export const lookFilter = filters({
  line: choice(z.enum(lineStatuses)),
  account: text(),
  /** `none` is those without one. */
  sipServer: orEmpty(choice(z.union([id, z.literal('none')]))),
  /** What a change of many devices made of it: the id of the change, a dot and the state. */
  change: {
    '': many(z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(done|unchanged|failed|waiting)$/)),
  },
  hardware: orEmpty(text()),
  publicIp: orEmpty(text(64)),
  lte: orEmpty(text()),
  dnd: orEmpty(choice(z.enum(dndStates))),
  certificate: { ...flag, ...orEmpty({}) },
  calls: number,
  configVersion: orEmpty(text()),
  lastConfigAt: orEmpty(moment),
  createdAt: moment,
});
export const deviceListQuery = z.object({
  ...deviceFilter,
  ...lookFilter,
  /** `lastOnlineAt.from` and `lastOnlineAt.to`, from before they were called so. */
  lastOnlineFrom: instant.optional(),
  lastOnlineTo: instant.optional(),
  ...pageQuery,
  sort: sortBy(deviceSorts),
});
