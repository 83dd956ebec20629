import { z } from 'zod';
import { deviceLogDays } from '@carillon/contracts/constants';
import { defineConfig, whole } from '@carillon/service';

export const deviceConfig = defineConfig({
  deviceAddress: z
    .string()
    .regex(/^(|(mqtts?|wss?):\/\/\S+)$/)
    .default('')
    .describe(
      'Address that devices connect to, as they reach it: `mqtts://devices.example.com:8883`. Shown to whoever adds one; not shown when empty.',
    ),
  deviceLogDays: whole(deviceLogDays, 1, 3_650).describe('Days that the log of devices is kept.'),
});
export type DeviceConfig = z.output<typeof deviceConfig>;
