import type { z } from 'zod';
import { defineConfig, outboundConfig, secretKey } from '@carillon/service';

/** What the installation is stands in its database; here only what that is sealed with. */
export const licenseConfig = defineConfig({
  mailKey: secretKey().describe(
    "Key that seals the mail server's password, at rest and on its way to who sends mails: 32 random bytes or more in base64url, the same as for notification.",
  ),
  ...outboundConfig.shape,
});
export type LicenseConfig = z.output<typeof licenseConfig>;
