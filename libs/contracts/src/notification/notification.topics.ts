import { z } from 'zod';
import { nouns, type NounName } from '../nouns.ts';
import { topic } from '../define/topic.ts';

/** One entry per change, written in the transaction of the change by its service (SYS-04). Never contains a secret. */
export const audit = topic({
  name: 'audit.v1',
  writers: '*',
  readers: ['notification'],
  key: 'company id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 30 * 86_400_000,
  events: {
    entry: z.object({
      action: z.string(),
      userId: z.string().nullable(),
      username: z.string(),
      objectId: z.string().nullable(),
      objectName: z.string().nullable(),
      address: z.string().nullable(),
      /** `success`, or the key of the error. */
      result: z.string(),
      requestId: z.string().nullable(),
      detail: z.record(z.string(), z.unknown()),
      /** Organizations of the changed object: the entry is visible to users who see all of them, and to its author. */
      orgIds: z.array(z.string()).optional(),
    }),
  },
});

export const liveKinds = {
  device: 'device',
  task: 'task',
  taskDevice: 'task',
  operationLog: 'operationLog',
  message: 'alarm',
  user: 'user',
  role: 'role',
  ...(Object.fromEntries(nouns.map(({ name }) => [name, name])) as { [N in NounName]: N }),
  ldapAccount: 'ldapAccount',
  company: 'company',
  delivery: 'importDelivery',
  channel: 'channel',
  channelStatistic: 'channelStatistic',
  supportAccess: 'supportAccess',
  redirectService: 'redirectService',
  /** Long-running work, for example an export. */ operation: 'device',
  /** A user's own menu and permissions. */ menu: 'home',
} as const;
export type LiveKind = keyof typeof liveKinds;

/**
 * Notifies the open browsers of a company of a change; the value in {@link liveKinds} is the permission that a receiver
 * needs. `ids` has at most 200 ids, otherwise `many` is set. `orgIds` are the organizations of the objects, absent for
 * objects without one.
 */
export const live = topic({
  name: 'live.v1',
  writers: '*',
  readers: ['gateway'],
  key: 'company id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 600_000,
  events: {
    changed: z.object({
      kind: z.enum(Object.keys(liveKinds) as [LiveKind, ...LiveKind[]]),
      ids: z.union([z.array(z.string()).max(200), z.literal('many')]),
      orgIds: z.array(z.string()).nullable(),
    }),
  },
});
