import { z } from 'zod';
import { route } from '../define/route.ts';

export const storageStates = ['enough', 'low', 'full'] as const;

export const getStorage = route({
  method: 'GET',
  path: '/api/f/resource/storage',
  summary: 'How much the files of the company take, with what unfinished uploads will take; how fast devices load them',
  permission: 'session',
  visitors: true,
  audit: 'none',
  response: z
    .object({
      /** Bytes. */
      used: z.number().int(),
      /** Bytes; null: unlimited. */
      quota: z.number().int().nullable(),
      /** `low` from 80 % on, like its alarm. */
      state: z.enum(storageStates),
      /** Mbit/s that all downloads of the installation share; null: no limit. */
      downloadMbit: z.number().int().nullable(),
    })
    .meta({ id: 'Storage' }),
  errors: [],
});
