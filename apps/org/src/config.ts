import { z } from 'zod';

/** Companies and organizations have no setting of their own yet. */
export const orgConfig = z.object({});
