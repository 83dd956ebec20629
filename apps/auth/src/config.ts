import { z } from 'zod';
import { accountLockSeconds } from '@carillon/contracts/constants';
import { accessTokenSeconds, idleMs } from '@carillon/tenancy';
import { defineConfig, secretKey, whole } from '@carillon/service';
import { oidcProviders } from './oidc/provider.ts';

export const authConfig = defineConfig({
  tokenKey: secretKey().describe(
    'Key that signs access tokens: 32 random bytes or more in base64url, the same for auth and the API gateways.',
  ),
  passwordPepper: secretKey().describe(
    'Key of the keyed hash under every stored password: 32 random bytes or more in base64url. Losing it makes every password wrong.',
  ),
  mailKey: secretKey().describe(
    'Key that encrypts the contents of mails until they are sent: 32 random bytes or more in base64url, the same for auth and notification.',
  ),
  publicUrl: z
    .url()
    .default('http://127.0.0.1:8080')
    .describe(
      'Address at which users open the console. Links in mails begin with it, whatever the host header of a request says.',
    ),
  clientId: z
    .string()
    .min(1)
    .max(64)
    .describe(
      'Name of the web client in the basic authorization header. It identifies the client and protects nothing.',
    ),
  clientSecret: z
    .string()
    .min(16)
    .max(256)
    .describe('Secret of the web client. It is public, because every browser has it.'),
  tokenSeconds: whole(accessTokenSeconds, 30, 86_400).describe('Lifetime of an access token.'),
  refreshSeconds: whole(86_400, 60, 172_800).describe('Lifetime of a refresh token. Each refresh returns a new one.'),
  sessionSeconds: whole(604_800, 60).describe('A session ends this long after its login, even if it is active.'),
  sessionsPerUser: whole(32, 1).describe(
    'Most sessions of one user. A further login ends the one that was idle longest.',
  ),
  idleSeconds: whole(idleMs / 1000, 1, 86_400).describe('A session without activity for this long ends.'),
  lockFailures: whole(5, 1, 100).describe('Failed logins that lock an account …'),
  lockWindowSeconds: whole(900, 1).describe('… when they happen within this time …'),
  lockSeconds: whole(accountLockSeconds, 1).describe('… for this long.'),
  oidcProviders: oidcProviders.describe(
    'OpenID Connect providers that users can log in with, as JSON: [{ "id": "…", "name": "…", "issuer": "https://…", "clientId": "…", "clientSecret": "…", "roles": { "group": "role" } }]. See the documentation for the rest.',
  ),
  captchaMode: z.enum(['off', 'on']).default('off').describe('on: every login needs a captcha.'),
  captchaAfterFailures: whole(3, 0).describe(
    'Failed logins of one name, within the time above, after which it needs a captcha in every mode.',
  ),
  addressFailuresPerMinute: whole(20, 1).describe(
    'Failed logins from one address in a minute. Further attempts are refused.',
  ),
});
export type AuthConfig = z.output<typeof authConfig>;
