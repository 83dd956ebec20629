import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { alarmLevels } from './message.schemas.ts';

/**
 * A message for users of a company, from the service that knows the fact. Its text is built when it is read, in the
 * reader's language.
 */
export const message = topic({
  name: 'message.v1',
  writers: '*',
  readers: ['notification'],
  key: 'company id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 30 * 86_400_000,
  events: {
    message: z.object({
      type: z.number().int(),
      level: z.enum(alarmLevels),
      objectId: z.string().nullable(),
      objectName: z.string().nullable(),
      /** Recipients: users of this organization; null: of the whole company. */
      orgId: z.string().nullable(),
      /**
       * All organizations that share the object. Without `orgId` for users who see all of them; with it for those who
       * see that one but not all.
       */
      orgIds: z.array(z.string()).optional(),
      /** For certificates: when the event it warns of happens. */
      expiresAt: z.string().nullable(),
      /**
       * Values of its text, for example `version` or `count`; `fault` is the key of an error, which becomes `reason`.
       * `object_<language>` is the name of an object that no user named.
       */
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
    /** What a message of the same service tells of is over. The message counts as read from then on. */
    ended: z.object({ id: z.string() }),
  },
});
