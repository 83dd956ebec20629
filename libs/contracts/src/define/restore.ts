import { z } from 'zod';
import { id } from './list.ts';

/** What one call takes back. */
export const restoreBody = z.strictObject({ ids: z.array(id).min(1).max(200) });
/** 0 when all of it is back already. */
export const restoreDone = z.object({ restored: z.number() });
