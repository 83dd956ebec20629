import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { deviceView } from './device.schemas.ts';

/** Reason of a tombstone when the device went to another company: its tasks end with it (ADR 22). */
export const handedOver = 'handedOver';

export const deviceState = topic({
  name: 'device.state.v1',
  writers: ['device'],
  readers: ['org', 'provisioning', 'resource', 'task', 'notification'],
  key: 'device id',
  partitions: 12,
  cleanup: 'compact',
  events: { device: deviceView },
});

/** Groups of devices, for the names of what configuration templates are for. */
export const deviceGroupState = topic({
  name: 'device.group.v1',
  writers: ['device'],
  readers: ['provisioning'],
  key: 'group id',
  partitions: 6,
  cleanup: 'compact',
  events: { group: z.object({ id, companyId: id, orgId: id, name: z.string() }) },
});

/**
 * Models that companies added: configuration templates are for devices of a series and set keys that a model has, and a
 * model may demand the certificate of a phone.
 */
export const deviceModelState = topic({
  name: 'device.model.v1',
  writers: ['device'],
  readers: ['provisioning'],
  key: 'model id',
  partitions: 6,
  cleanup: 'compact',
  events: {
    model: z.object({
      id,
      companyId: id,
      name: z.string(),
      showName: z.string(),
      internalName: z.string(),
      series: z.string(),
      mutualAuth: z.boolean(),
      /** Lines and keys of its phones; absent in messages of earlier releases. */
      keys: z
        .object({
          sipCount: z.number().int(),
          softDssKeys: z.number().int(),
          dssKeysPerPage: z.number().int(),
          dssKeyPages: z.number().int(),
          sideKeysPerPage: z.number().int(),
          sideKeyPages: z.number().int(),
          hiddenItems: z.array(z.string()),
          secondScreen: z.boolean(),
        })
        .optional(),
    }),
  },
});

/**
 * What the MQTT gateway checks at CONNECT. The secret is 32 random bytes, so a single SHA-256 of it suffices and is not
 * secret.
 */
export const deviceCredential = topic({
  name: 'device.credential.v1',
  writers: ['device'],
  readers: ['mqtt-gateway'],
  key: 'device id',
  partitions: 12,
  cleanup: 'compact',
  events: {
    credential: z.object({
      deviceId: id,
      mac: z.string(),
      orgId: id,
      ownerEpoch: z.number().int(),
      secretHash: z.base64url(),
      previousHash: z.base64url().nullable(),
      enabled: z.boolean(),
      /** Its model demands mutual authentication: the device needs a certificate besides its secret. */
      certificateRequired: z.literal(true).optional(),
    }),
    /**
     * A device that its company has handed over and that may still hold that company's data. With its old secret it may
     * connect only to be reset (docs/device-link.md, "Handover"). A tombstone follows when it is back empty.
     */
    leaving: z.object({
      deviceId: id,
      mac: z.string(),
      orgId: id,
      ownerEpoch: z.number().int(),
      secretHash: z.base64url(),
      previousHash: z.base64url().nullable(),
      /** Id of the command that resets it. */
      resetId: z.uuid(),
    }),
  },
});
