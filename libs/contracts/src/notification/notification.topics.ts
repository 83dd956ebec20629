import { z } from 'zod';
import { nouns, type NounName } from '../nouns.ts';
import { topic } from '../define/topic.ts';

/**
 * One entry a change, written in the transaction of the change by the service that made it (SYS-04). Never holds a
 * secret.
 */
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
      /** `success` or the key of the error. */
      result: z.string(),
      requestId: z.string().nullable(),
      detail: z.record(z.string(), z.unknown()),
      /** Organizations of what it tells of: for who sees all of them, and for who did it. */
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
  channel: 'channel',
  supportAccess: 'supportAccess',
  /** Long work, for example a file that is written. */ operation: 'device',
  /** What anybody sees of his own menu and rights. */ menu: 'home',
} as const;
export type LiveKind = keyof typeof liveKinds;

/**
 * That something changed, for the open browsers of a company; the value of {@link liveKinds} is the right to know it.
 * `ids` are at most 200, otherwise `many`. `orgIds` are the organizations of those objects, none for what has none.
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
