import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { alarmLevels } from './message.schemas.ts';

/**
 * Something that people of a company have to know, from the service that knows it. Its words are made where it is read,
 * in the reader's language.
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
      /** Whose: people of this organization, or of the whole company. */
      orgId: z.string().nullable(),
      /**
       * Of something that several organizations share, all of them: without `orgId` for who sees them all, with it for
       * who sees that one and not all.
       */
      orgIds: z.array(z.string()).optional(),
      /** When what it warns of happens, for certificates. */
      expiresAt: z.string().nullable(),
      /** Figures of its text, for example `version` or `count`. */
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  },
});
