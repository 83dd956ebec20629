import { z } from 'zod';
/** The operation log has no setting of its own yet. */
export declare const notificationConfig: z.ZodObject<{}, z.core.$strip>;
