import type { z } from 'zod';
import { companyKeyConfig, defineConfig, outboundConfig, secretKey, whole } from '@carillon/service';
import { phonePortConfig } from './phone-port/phone-port.config.ts';

export const provisioningConfig = defineConfig({
  dataKey: secretKey().describe(
    'Key that encrypts the keys of stored account passwords: 32 random bytes or more in base64url. Without it they are lost.',
  ),
  revealsPerHour: whole(60, 1).describe('How many SIP accounts a user may show the passwords of in an hour.'),
  ...companyKeyConfig.shape,
  ...outboundConfig.shape,
  ...phonePortConfig,
  ldapTickMs: whole(5_000, 10).describe('How often due syncs of LDAP servers are started.'),
  ldapLeaseSeconds: whole(60, 1).describe(
    'A sync of an LDAP server that gives no sign of life for this long is started again.',
  ),
  redirectTickMs: whole(5_000, 10).describe('How often due calls to redirect services are started.'),
  redirectTimeoutMs: whole(10_000, 100, 60_000).describe('Longest time that one call to a redirect service takes.'),
  redirectRetryMs: whole(5_000, 10).describe(
    'Pause after the first failed call to a redirect service. The following pauses grow with it, up to an hour or ten.',
  ),
});
export type ProvisioningConfig = z.output<typeof provisioningConfig>;
