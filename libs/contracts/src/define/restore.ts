import { z } from 'zod';
import { id } from './list.ts';

/** Ids that one call restores. */
export const restoreBody = z.strictObject({ ids: z.array(id).min(1).max(200) });
/** Number of restored records; 0 when all exist already. */
export const restoreDone = z.object({ restored: z.number() });
