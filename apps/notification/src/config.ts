import { z } from 'zod';

/** The operation log has no setting of its own yet. */
export const notificationConfig = z.object({});
