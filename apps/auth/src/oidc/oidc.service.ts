import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import type { OidcRefusal } from '@carillon/contracts';
import { loginNameFault, toLoginName } from '@carillon/contracts/login-name';
import { companySession, Database, platform, transaction } from '@carillon/persistence';
import { createLogger } from '@carillon/observability';
import { CACHE, CONFIG, Failure, type Cache } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { LoginService } from '../login/login.service.ts';
import type { TokenAnswer } from '../login/token-answer.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { link, makeUser, rolesNamed, setRoles, whoIs } from './oidc.queries.ts';
import type { OidcProvider } from './provider.ts';

const log = createLogger('auth');
const waitMs = 600_000;
const knownMs = 3_600_000;

interface Pending {
  provider: string;
  verifier: string;
  nonce: string;
  to: string | undefined;
  browser: string;
}

export class OidcRefused extends Error {
  constructor(
    readonly reason: OidcRefusal,
    readonly to?: string | undefined,
  ) {
    super(reason);
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Login by OpenID Connect: code flow with PKCE, state and nonce, bound to the browser that started it. */
@Injectable()
export class OidcService {
  private readonly known = new Map<string, { until: number; configuration: Promise<client.Configuration> }>();

  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  list(): { id: string; name: string }[] {
    return this.config.oidcProviders.map(({ id, name }) => ({ id, name }));
  }

  /** Returns the address for the browser, and the value that it must bring back besides the provider's answer. */
  async start(id: string, to: string | undefined): Promise<{ url: string; browser: string }> {
    const provider = this.config.oidcProviders.find((p) => p.id === id);
    if (!provider) throw new Failure('common.notFound');
    const configuration = await this.discover(provider).catch((err: unknown) => {
      log.warn({ err, provider: id }, 'a login provider does not answer');
      throw new OidcRefused('failed', to);
    });
    const [state, nonce, browser] = [client.randomState(), client.randomNonce(), randomBytes(24).toString('base64url')];
    const verifier = client.randomPKCECodeVerifier();
    await this.cache.set(
      `oidc:${hash(state)}`,
      JSON.stringify({ provider: id, verifier, nonce, to, browser: hash(browser) } satisfies Pending),
      waitMs,
    );
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callback,
      scope: provider.scope,
      state,
      nonce,
      response_type: 'code',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, browser };
  }

  /** Accepts the provider's answer once. */
  async finish(
    query: Record<string, unknown>,
    browser: string | undefined,
    from: { browser: string | null },
  ): Promise<{ answer: TokenAnswer; to: string | undefined }> {
    const state = textOf(query['state']);
    const kept = state ? await this.cache.take(`oidc:${hash(state)}`) : null;
    if (kept === null || !browser) throw new OidcRefused('failed');
    const pending = JSON.parse(kept) as Pending;
    const provider = this.config.oidcProviders.find((p) => p.id === pending.provider);
    // Another browser must not finish this login: its user would be logged in as the attacker who sent the link.
    if (!provider || hash(browser) !== pending.browser) throw new OidcRefused('failed', pending.to);
    const claims = await this.claims(provider, pending, query).catch((err: unknown) => {
      log.warn({ err, provider: provider.id }, 'a login by a provider failed');
      throw new OidcRefused('failed', pending.to);
    });
    const user = await this.userOf(provider, claims).catch((error: unknown) => {
      throw error instanceof OidcRefused ? new OidcRefused(error.reason, pending.to) : error;
    });
    const answer = await this.logins.enterAs(user, from).catch((error: unknown) => {
      throw error instanceof Failure && error.status === 400 ? new OidcRefused('closed', pending.to) : error;
    });
    return { answer, to: pending.to };
  }

  private async claims(
    provider: OidcProvider,
    pending: Pending,
    query: Record<string, unknown>,
  ): Promise<Record<string, unknown> & { sub: string }> {
    const url = new URL(this.callback);
    for (const [name, value] of Object.entries(query)) if (typeof value === 'string') url.searchParams.set(name, value);
    const configuration = await this.discover(provider);
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: pending.verifier,
      expectedState: url.searchParams.get('state')!,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    const id = tokens.claims()!;
    // Some providers return groups and email only in the user info.
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(configuration, tokens.access_token, id.sub)
      : {};
    return { ...more, ...id };
  }

  private async userOf(
    provider: OidcProvider,
    claims: Record<string, unknown> & { sub: string },
  ): Promise<{ userId: string; companyId: string }> {
    const email = claims['email_verified'] === true ? textOf(claims['email']) : undefined;
    const found = await platform(this.database, 'login by a provider: who is this', () =>
      whoIs(provider.issuer, claims.sub, email),
    );
    const companyId = found?.companyId ?? provider.create?.companyId;
    if (!companyId) throw new OidcRefused('noAccount');
    const groups = claims[provider.groupsClaim];
    const named = (Array.isArray(groups) ? groups : []).flatMap((g) =>
      typeof g === 'string' && Object.hasOwn(provider.roles, g) ? [provider.roles[g]!] : [],
    );
    return transaction(this.database, companySession(companyId), async () => {
      const governed = Object.keys(provider.roles).length > 0;
      const roles = await rolesNamed(named);
      if (governed && roles.length === 0) throw new OidcRefused('noRole');
      const now = new Date();
      const claimed = textOf(claims['preferred_username']) ?? email ?? '';
      // A login name has no "@", so an email loses it. A name that is still invalid is replaced by provider and
      // subject.
      const fits = loginNameFault(toLoginName(claimed.replace('@', ''))) === undefined;
      const name = fits ? toLoginName(claimed) : `${provider.id}-${claims.sub}`;
      const nickname = textOf(claims['name']) ?? name;
      const userId =
        found?.userId ??
        (await makeUser({ companyId, orgId: provider.create!.orgId, username: name, nickname, email }));
      // The name or email belongs to another account, which a provider's claim must not take over.
      if (!userId) throw new OidcRefused('noAccount');
      const user = { userId, companyId };
      if (!found?.linked) await link(user, provider.issuer, claims.sub, now);
      if ((governed && (await setRoles(user, roles))) || !found) await accessChanged([userId]);
      return user;
    });
  }

  private get callback(): string {
    return new URL('/api/f/auth/oidc/callback', this.config.publicUrl).href;
  }

  /** Caches the provider's configuration for an hour; a failure is not cached. */
  private discover(provider: OidcProvider): Promise<client.Configuration> {
    const before = this.known.get(provider.id);
    if (before && before.until > Date.now()) return before.configuration;
    const insecure = new URL(provider.issuer).protocol === 'http:';
    const configuration = client.discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      undefined,
      { timeout: 10, ...(insecure ? { execute: [client.allowInsecureRequests] } : {}) },
    );
    this.known.set(provider.id, { until: Date.now() + knownMs, configuration });
    configuration.catch(() => {
      this.known.delete(provider.id);
    });
    return configuration;
  }
}
