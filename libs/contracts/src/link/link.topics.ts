import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { linkMac, uplinkPayloads } from './link.schemas.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * The sender: `ownerEpoch` rises when a device goes to another company; an event with an older epoch belongs to the
 * history of the earlier owner.
 */
const device = { deviceId: id, mac: linkMac, ownerEpoch: z.number().int() };

/**
 * The `gateway` of a session that a phone has over HTTP. The provisioning service opens it when a phone uses its own
 * address, and ends it when the phone has not asked for too long. Its epoch is in seconds, so that it is lower than
 * that of any connection, which is in milliseconds: a device that has ever connected is judged by its connection alone.
 */
export const phoneGateway = 'phones';

/** Online and offline, with the epoch of the claim: a consumer ignores a lower epoch than it has seen. */
export const linkSession = topic({
  name: 'link.session.v1',
  writers: ['mqtt-gateway', 'provisioning'],
  readers: ['device', 'task', 'mqtt-gateway', 'notification'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: 7 * day,
  events: {
    online: z.object({
      ...device,
      epoch: z.number().int(),
      gateway: z.string(),
      address: z.string(),
      at: z.number(),
      /** Hash of the renewed secret that the device used while the old one is still valid: the old one expires now. */
      secretHash: z.base64url().optional(),
      /** Claimed while the shared claims were unavailable: another gateway may hold the device too. */
      alone: z.literal(true).optional(),
    }),
    offline: z.object({
      ...device,
      epoch: z.number().int(),
      gateway: z.string(),
      reason: z.enum(['closed', 'lost', 'takeover', 'drain', 'refused', 'gatewayLost']),
      /** Which rule the device broke, when it was refused for that. */
      fault: z.string().max(32).optional(),
      at: z.number(),
    }),
  },
});

/**
 * A validated report of a device with the gateway's receive time. Kind `result` travels on linkResult. The provisioning
 * service writes `state` for a phone that has loaded its configuration over HTTP, or has called an action URL, and
 * `event` for a token that is tried out; their epoch is 0, because no connection is behind them. While the device is
 * connected, readers take only the `configVersion` of such a state: what the connection says counts. It also writes
 * `phone`: what the User-Agent and the maker of a phone with a session over HTTP tell, with the epoch of that session.
 */
export const linkReport = topic({
  name: 'link.report.v1',
  writers: ['mqtt-gateway', 'provisioning'],
  readers: ['device', 'notification'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: 3 * day,
  events: {
    hello: z.object({
      ...device,
      epoch: z.number().int(),
      receivedAt: z.number(),
      payload: uplinkPayloads.hello,
      address: z.string(),
    }),
    state: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.state }),
    event: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.event }),
    call: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.call }),
    unlock: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.unlock }),
    phone: z.object({
      ...device,
      epoch: z.number().int(),
      receivedAt: z.number(),
      payload: z.object({
        firmware: uplinkPayloads.hello.shape.firmware.optional(),
        capabilities: uplinkPayloads.hello.shape.capabilities,
        /** Set when the phone has just started. */
        boot: z.enum(['power', 'reboot', 'upgrade']).optional(),
      }),
    }),
  },
});

/** A device that was handed over has connected with its old secret once more, and says that it was reset. */
export const linkHandover = topic({
  name: 'link.handover.v1',
  writers: ['mqtt-gateway'],
  readers: ['device'],
  key: 'device id',
  partitions: 1,
  cleanup: 'delete',
  retentionMs: 3 * day,
  events: { wiped: z.object({ ...device, receivedAt: z.number() }) },
});

export const linkResult = topic({
  name: 'link.result.v1',
  writers: ['mqtt-gateway', 'provisioning'],
  readers: ['task'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: 3 * day,
  events: {
    result: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.result }),
    /** The device has restarted: sent for its hello, before any later result. */
    back: z.object({
      ...device,
      epoch: z.number().int(),
      receivedAt: z.number(),
      boot: uplinkPayloads.hello.shape.boot,
      firmware: uplinkPayloads.hello.shape.firmware,
      /** Seconds since it started: a hello may report a start twice, when the first one was not acknowledged. */
      uptime: uplinkPayloads.hello.shape.uptime,
    }),
  },
});

/** Read by every gateway process (fan-out); the one that holds the device writes it to its socket. */
export const linkCommand = topic({
  name: 'link.command.v1',
  writers: ['task', 'device'],
  readers: ['mqtt-gateway', 'notification'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: hour,
  events: {
    command: z.object({
      ...device,
      id,
      action: z.string(),
      args: z.record(z.string(), z.unknown()),
      expiresAt: z.number(),
    }),
    /** Withdrawn before it was written; best effort, the device's response decides. */
    withdraw: z.object({ deviceId: id, mac: linkMac, ids: z.array(id) }),
    /** Closes the connection: the device was deleted or moved, or its secret renewed. */
    close: z.object({ deviceId: id, mac: linkMac }),
  },
});

/** Codes of commands for phones over HTTP: how far they are, and why they failed. */
export const phoneCodes = {
  /** It is being told over SIP. */
  telling: 'phoneTelling',
  /** It makes a call, and is told when that ends; or it still made one at the end of the command. */
  busy: 'busy',
  /** It has to ask first. */
  waits: 'phoneWaits',
  /** It could not be told. */
  unreached: 'phoneUnreached',
  /** It was told to load a file. */
  told: 'phoneTold',
  /** It loads the file. */
  loading: 'phoneLoading',
  /** It has loaded the firmware, and restarts with it. */
  installing: 'phoneInstalling',
  /** It runs a version that is neither the wanted one nor the former one. */
  otherVersion: 'otherVersion',
  /** It still runs the former version at the end of the command. */
  kept: 'phoneKept',
  /** It has not loaded the file by the end of the command. */
  notLoaded: 'phoneNotLoaded',
  /** Its maker documents no setting for the file, or takes no address of this length. */
  noSetting: 'phoneNoSetting',
  /** Its task was stopped. */
  stopped: 'phoneStopped',
} as const;

/**
 * Commands for devices whose session is over HTTP: the provisioning service asks the phone to fetch its configuration
 * or to restart, and answers on linkResult by what the phone then does. A repeated id is answered from memory. The
 * configuration names a file to load, until the command or its task ends.
 */
export const phoneCommand = topic({
  name: 'link.phone.v1',
  writers: ['task'],
  readers: ['provisioning'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: hour,
  events: { command: linkCommand.events.command.extend({ taskId: id.optional() }) },
});

/**
 * The gateway processes themselves. `gateway` is `name#instance` with a new instance at every start, as in linkSession.
 * A start means that every older instance of that name is dead; another gateway that sees its lease expire publishes
 * `gone`. A consumer marks the sessions of a dead instance offline, and never those of a live one.
 */
export const linkGateway = topic({
  name: 'link.gateway.v1',
  writers: ['mqtt-gateway'],
  readers: ['device', 'task', 'mqtt-gateway', 'notification'],
  key: 'gateway name',
  partitions: 1,
  cleanup: 'delete',
  retentionMs: 7 * day,
  events: {
    started: z.object({ name: z.string(), gateway: z.string(), at: z.number() }),
    gone: z.object({ name: z.string(), gateway: z.string(), at: z.number() }),
    /** Heartbeat while leases cannot be renewed; for the other gateways only. */
    alive: z.object({ name: z.string(), gateway: z.string(), at: z.number() }),
  },
});
