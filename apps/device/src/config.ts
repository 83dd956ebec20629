import { z } from 'zod';
import { deviceLogDays } from '@carillon/contracts/constants';
import { defineConfig, secretKey, whole } from '@carillon/service';

export const deviceConfig = defineConfig({
  deviceAddress: z
    .string()
    .regex(/^(|(mqtts?|wss?):\/\/\S+)$/)
    .default('')
    .describe(
      'Address that devices connect to: `mqtts://devices.example.com:8883`. It is shown to users who add a device, unless it is empty.',
    ),
  dataKey: secretKey().describe(
    'Key from which the one for hashes of claim codes is derived: 32 random bytes or more in base64url. Without it no code works.',
  ),
  configDriftMs: whole(86_400_000, 1).describe(
    'How long a device may be online without loading its changed configuration before that is an alarm.',
  ),
  deviceLogDays: whole(deviceLogDays, 1, 3_650).describe('Days that the log of devices is kept.'),
});
export type DeviceConfig = z.output<typeof deviceConfig>;
