import type { z } from 'zod';
import { companyKeyConfig, defineConfig, outboundConfig, secretKey, whole } from '@carillon/service';

export const provisioningConfig = defineConfig({
  dataKey: secretKey().describe(
    'Key that wraps the keys under which passwords of accounts are stored: 32 random bytes or more in base64url. Without it they are lost.',
  ),
  ...companyKeyConfig.shape,
  ...outboundConfig.shape,
  ldapTickMs: whole(5_000, 10).describe('How often LDAP servers are looked for whose sync is due.'),
  ldapLeaseSeconds: whole(60, 1).describe(
    'After so long without a sign of life a sync of an LDAP server is taken for dead, and begun anew.',
  ),
});
export type ProvisioningConfig = z.output<typeof provisioningConfig>;
