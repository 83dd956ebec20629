import type { z } from 'zod';
import { deviceLogDays } from '@carillon/contracts/constants';
import { defineConfig, whole } from '@carillon/service';

export const deviceConfig = defineConfig({
  deviceLogDays: whole(deviceLogDays, 1, 3_650).describe('Days that the log of devices is kept.'),
});
export type DeviceConfig = z.output<typeof deviceConfig>;
