import type { z } from 'zod';
import { defineConfig, outboundConfig, secretKey } from '@carillon/service';

/** Settings of the installation are stored in its database; this is only the key that seals its secrets. */
export const licenseConfig = defineConfig({
  mailKey: secretKey().describe(
    "Key that encrypts the mail server's password in the database and on the bus: 32 random bytes or more in base64url, the same as for notification.",
  ),
  ...outboundConfig.shape,
});
export type LicenseConfig = z.output<typeof licenseConfig>;
