import type { z } from 'zod';
import { defineConfig, secretKey } from '@carillon/service';

export const provisioningConfig = defineConfig({
  dataKey: secretKey().describe(
    'Key that wraps the keys under which passwords of accounts are stored: 32 random bytes or more in base64url. Without it they are lost.',
  ),
});
export type ProvisioningConfig = z.output<typeof provisioningConfig>;
