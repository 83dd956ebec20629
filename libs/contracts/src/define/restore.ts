import { z } from 'zod';
import { id } from './list.ts';

/** So long whoever deleted something can take it back. */
export const restoreMinutes = 5;
/** What one call takes back. */
export const restoreBody = z.strictObject({ ids: z.array(id).min(1).max(200) });
export const restoreDone = z.object({ restored: z.number() });
