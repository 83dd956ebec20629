import { z } from 'zod';
import { mostOrders } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { choice, filters, flag, moment, orEmpty, parts, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreDone } from '../define/restore.ts';
import { companyStatuses } from '../org/org.schemas.ts';
import { connectAddress, listedTarget, mac, macPart, ownMac } from './device.schemas.ts';

/** Spec, section 4, "Channel device". */
export const channelOrderStatuses = ['unassigned', 'assigned'] as const;
/** How a MAC was added: from a spreadsheet, by hand, from the parent company, or with an existing device. */
export const channelOrderSources = ['import', 'manual', 'company', 'device'] as const;
/** Custody events of a MAC in a company. Each company sees only the events in which it took part. */
export const custodySteps = ['in', 'received', 'given', 'takenBack', 'returned', 'claimed', 'lost'] as const;
const orderText = z.string().trim().max(64);

/** A "channel order device" of the product description, section 3: one line for each company that holds or held it. */
export const channelOrderRecord = z
  .object({
    id,
    mac: z.string(),
    model: z.string(),
    /** Number or name of the order that it came with. */
    order: z.string(),
    source: z.enum(channelOrderSources),
    /** The company that it came from. */
    from: z.string().nullable(),
    status: z.enum(channelOrderStatuses),
    inAt: z.string(),
    assignedAt: z.string().nullable(),
    /** The channel that holds it, directly below the caller's company. */
    company: z.object({ id, name: z.string() }).nullable(),
    /** The device that was created from it, while that exists. */
    deviceId: id.nullable(),
  })
  .meta({ id: 'ChannelOrder' });
export type ChannelOrderRecord = z.output<typeof channelOrderRecord>;

const filter = {
  search: z.string().trim().max(128).optional(),
  ...filters({
    mac: { ...choice(mac), '.contains': parts(macPart) },
    model: text(64),
    order: orEmpty(text(64)),
    source: choice(z.enum(channelOrderSources)),
    from: orEmpty(text()),
    status: choice(z.enum(channelOrderStatuses)),
    inAt: moment,
    assignedAt: orEmpty(moment),
    company: orEmpty(choice(id)),
    inUse: flag,
  }),
};
export const listChannelOrders = route({
  method: 'GET',
  path: '/api/f/device/channelOrder/list',
  summary: 'Channel orders: what came in, what is free, and which channel has the rest',
  permission: 'channelOrder',
  audit: 'none',
  query: z.object({
    ...filter,
    ...pageQuery,
    sort: sortBy(['mac', 'model', 'order', 'source', 'from', 'status', 'inAt', 'assignedAt', 'company']),
  }),
  response: listOf(channelOrderRecord),
  errors: [],
});

const number = z.number().int();
export const countChannelOrders = route({
  method: 'GET',
  path: '/api/f/device/channelOrder/count',
  summary: 'How many devices came in, are free, are in use and are with each channel',
  permission: 'channelOrder',
  audit: 'none',
  response: z.object({
    total: number,
    /** Lines that are not assigned and not yet a device. */
    free: number,
    inUse: number,
    assigned: number,
    /** Channels that have some, largest count first. */
    channels: z.array(z.object({ id, name: z.string(), count: number })),
    /** Free ones by model and order, largest count first. */
    stock: z.array(z.object({ model: z.string(), order: z.string(), count: number })),
  }),
  errors: [],
});

export const listOrderChannels = route({
  method: 'GET',
  path: '/api/f/device/channelOrder/channel',
  summary: 'Channels directly below the own company, to choose from',
  permission: 'allocateChannelOrder',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string(), status: z.enum(companyStatuses) })),
  errors: [],
});

/** Returns the custody events of a MAC, even when the company no longer has a line for it. */
export const listCustody = route({
  method: 'GET',
  path: '/api/f/device/channelOrder/custody',
  summary: 'The steps of a MAC in which the own company took part, the newest first',
  permission: 'channelOrder',
  audit: 'none',
  query: z.object({ mac }),
  response: z.array(
    z.object({
      id,
      at: z.string(),
      step: z.enum(custodySteps),
      /** Name of the other company. */
      company: z.string().nullable(),
    }),
  ),
  errors: [],
});

export const addChannelOrder = route({
  method: 'POST',
  path: '/api/f/device/channelOrder',
  summary: 'Add one MAC to the channel orders',
  permission: 'addChannelOrder',
  audit: 'channelOrder.add',
  status: 201,
  ownTransaction: true,
  body: z.strictObject({
    mac: ownMac,
    /** The name of a model of the list. */
    model: z.string().trim().min(1).max(64),
    order: orderText,
  }),
  response: channelOrderRecord,
  errors: ['device.macFormat', 'device.macNotOwn', 'device.macTaken', 'device.modelUnknown', 'common.tooMany'],
});

export const deleteChannelOrders = route({
  method: 'DELETE',
  path: '/api/f/device/channelOrder',
  summary: 'Delete unassigned lines of channel orders',
  permission: 'deleteChannelOrder',
  audit: 'channelOrder.delete',
  query: z.object({ ids: z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(1000)) }),
  response: z.object({ deleted: number }),
  errors: ['channelOrder.assigned', 'channelOrder.hasDevice', 'channelOrder.fromAbove'],
});

export const restoreChannelOrders = route({
  method: 'POST',
  path: '/api/f/device/channelOrder/restore',
  summary: 'Take back a deletion of lines of channel orders',
  permission: 'deleteChannelOrder',
  audit: 'channelOrder.restore',
  body: z.strictObject({ ids: z.array(id).min(1).max(1000) }),
  response: restoreDone,
  errors: ['common.restoreOver'],
});

const named = z.strictObject({ ids: z.array(id).min(1).max(mostOrders) });
const matching = z.strictObject({ filter: z.strictObject(filter), exclude: z.array(id).max(mostOrders).optional() });
const typed = z.strictObject({ macs: z.array(mac).min(1).max(mostOrders) });
/** The first free ones, oldest first. */
const first = z.strictObject({
  first: number.min(1).max(mostOrders),
  model: z.string().max(64).optional(),
  order: orderText.optional(),
});
/** Lines of orders: named ones, all that match, those with these MACs, or a number of free ones. */
export const channelOrderTarget = z.union([named, matching, typed, first]);
export type ChannelOrderTarget = z.output<typeof channelOrderTarget>;
/** Fits 10,000 ids, or as many MACs with colons. */
const bodyLimit = 1_048_576;

const handover = {
  channelId: id,
  /** Confirms that devices that were in use change hands. */
  confirmed: z.boolean().default(false),
  /**
   * Resets devices that were in use, connected ones at once and the others at their next contact. Otherwise SIP secrets
   * and door credentials go along.
   */
  reset: z.boolean().default(true),
};

/**
 * Allocates lines, all or nothing. A line that is a device of the caller's company ends that device; the recipient
 * creates a new one.
 */
export const allocateChannelOrders = route({
  method: 'POST',
  path: '/api/f/device/channelOrder/allocate',
  summary: 'Give devices of the orders to a channel directly below the own company',
  permission: 'allocateChannelOrder',
  audit: 'channelOrder.allocate',
  bodyLimit,
  body: z.strictObject({ target: channelOrderTarget, ...handover }),
  response: z.object({ allocated: number }),
  errors: [
    'channelOrder.assigned',
    'channelOrder.deviceUnseen',
    'channelOrder.inUse',
    'channelOrder.cannotReset',
    'channelOrder.unknownMac',
    'channelOrder.notEnough',
    'channelOrder.tooMany',
  ],
});

/** Gives a line to a device that came without an order (DEV-05). */
export const allocateDevices = route({
  method: 'POST',
  path: '/api/f/device/channelOrder/allocateDevices',
  summary: 'Give devices of the device list to a channel directly below the own company',
  permission: 'allocateChannelOrder',
  audit: 'channelOrder.allocateDevices',
  bodyLimit,
  body: z.strictObject({
    target: listedTarget,
    ...handover,
    /** Allocates one step only; `left` is the number of targets that remain. */
    inSteps: z.boolean().default(false),
  }),
  response: z.object({ allocated: number, left: number }),
  errors: ['channelOrder.inUse', 'channelOrder.cannotReset', 'channelOrder.tooMany'],
});

/**
 * Takes lines back that the channel itself still holds. It ends the devices that the channel made of them, and resets
 * those that were in use if they can do it, so the call must confirm that.
 */
export const takeBackChannelOrders = route({
  method: 'POST',
  path: '/api/f/device/channelOrder/takeBack',
  summary: 'Take devices back from the channels directly below that hold them',
  permission: 'allocateChannelOrder',
  audit: 'channelOrder.takeBack',
  bodyLimit,
  body: z.strictObject({ target: z.union([named, matching, typed]), confirmed: z.literal(true) }),
  response: z.object({ takenBack: number }),
  errors: ['channelOrder.free', 'channelOrder.passedOn', 'channelOrder.unknownMac', 'channelOrder.tooMany'],
});

/** Placeholders in a name: `{mac}`, its last four digits `{mac4}`, `{model}`, and `{n}`, counted from 1. */
export const orderNamePattern = z.string().trim().min(1).max(48);

/** Creates devices. Only this response contains their secrets. */
export const makeDevicesOfOrders = route({
  method: 'POST',
  path: '/api/f/device/channelOrder/importToDevice',
  summary: 'Make devices of free lines of the orders',
  permission: 'toDeviceChannelOrder',
  audit: 'channelOrder.toDevice',
  status: 201,
  bodyLimit,
  body: z.strictObject({
    target: channelOrderTarget,
    name: orderNamePattern,
    orgId: id.optional(),
    siteId: id.nullable().optional(),
    /** The SIP server that their lines register with. */
    serverId: z.uuid('device.serverMissing').optional(),
  }),
  response: z.object({
    made: number,
    devices: z.array(z.object({ id, mac: z.string(), name: z.string(), model: z.string(), secret: z.string() })),
    address: connectAddress,
  }),
  errors: [
    'channelOrder.assigned',
    'channelOrder.hasDevice',
    'channelOrder.unknownMac',
    'channelOrder.notEnough',
    'channelOrder.tooMany',
    'device.serverMissing',
  ],
});
