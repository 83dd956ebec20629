import { z } from 'zod';
/** Companies and organizations have no setting of their own yet. */
export declare const orgConfig: z.ZodObject<{}, z.core.$strip>;
