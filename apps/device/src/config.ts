import { z } from 'zod';

/** The device registry has no setting of its own yet. */
export const deviceConfig = z.object({});
