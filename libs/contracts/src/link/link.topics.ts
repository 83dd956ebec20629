import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { linkMac, uplinkPayloads } from './link.schemas.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Who speaks: `ownerEpoch` rises when a device goes to another company; an event of an older owner goes to that one's
 * history.
 */
const device = { deviceId: id, mac: linkMac, ownerEpoch: z.number().int() };

/** Online and offline, with the claim's epoch: a consumer ignores a lower one than it has seen. */
export const linkSession = topic({
  name: 'link.session.v1',
  writers: ['mqtt-gateway'],
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
      /** Of the renewed secret it came with, while the old one works too: the old one's time is over now. */
      secretHash: z.base64url().optional(),
      /** Claimed while the claims that all gateways share were away: another may hold the device without knowing. */
      alone: z.literal(true).optional(),
    }),
    offline: z.object({
      ...device,
      epoch: z.number().int(),
      gateway: z.string(),
      reason: z.enum(['closed', 'lost', 'takeover', 'drain', 'refused', 'gatewayLost']),
      at: z.number(),
    }),
  },
});

/**
 * What a device reported, as it was validated, with the gateway's receive time. Kind `result` travels on linkResult.
 */
export const linkReport = topic({
  name: 'link.report.v1',
  writers: ['mqtt-gateway'],
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
  },
});

export const linkResult = topic({
  name: 'link.result.v1',
  writers: ['mqtt-gateway'],
  readers: ['task'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: 3 * day,
  events: {
    result: z.object({ ...device, epoch: z.number().int(), receivedAt: z.number(), payload: uplinkPayloads.result }),
    /** It has started anew: of its hello, and before any result that follows that. */
    back: z.object({
      ...device,
      epoch: z.number().int(),
      receivedAt: z.number(),
      boot: uplinkPayloads.hello.shape.boot,
      firmware: uplinkPayloads.hello.shape.firmware,
      /** Seconds since it started: a hello may tell of a start twice, when its first one was not acknowledged. */
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
    /** Taken back before it was written; best effort, the device's answer decides. */
    withdraw: z.object({ deviceId: id, mac: linkMac, ids: z.array(id) }),
    /** Close the connection: deleted, moved or renewed secret. */
    close: z.object({ deviceId: id, mac: linkMac }),
  },
});

/**
 * The gateway processes themselves. `gateway` is `name#instance`, the instance being new at every start, as in
 * linkSession. A start says that every older instance of that name is dead; `gone` is told by whoever saw its lease
 * end. A consumer marks the sessions of a dead instance offline, and cannot hit one of a living.
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
    /** A sign of life while leases cannot be prolonged; for the other gateways only. */
    alive: z.object({ name: z.string(), gateway: z.string(), at: z.number() }),
  },
});
