import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  addApiToken,
  apiTokenDays,
  apiTokenPrefix,
  authApiToken,
  neverProgram,
  type RouteInput,
  type RouteReturn,
  type getApiAccess,
  type listApiTokens,
  type PermissionKey,
} from '@carillon/contracts';
import { emit, publishedVersions, type Bus } from '@carillon/messaging';
import { companySession, currentEntities, Database, platform, transaction, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditedTransaction, auditNote, BUS, fail, failAt, Failure, found } from '@carillon/service';
import { findUser, holdPassword, type LoginUser } from '../login/login.queries.ts';
import { LoginService } from '../login/login.service.ts';
import { organizationsOf } from '../user/user-entry.ts';
import { heldOrganizations, ownScope } from '../user/user-scope.ts';
import { ApiToken } from './api-token.entity.ts';
import {
  apiOpen,
  liveTokens,
  pageOfTokens,
  revokeTokens,
  revokeTokensOf,
  setApiOpen,
  type ApiTokenRow,
} from './api-token.queries.ts';

async function publishToken(row: ApiToken | ApiTokenRow, revoked: boolean): Promise<void> {
  await emit(
    authApiToken,
    'apiToken',
    row.id,
    {
      tokenId: row.id,
      hash: row.hash.toString('base64url'),
      userId: row.userId,
      name: row.name,
      scopes: row.scopes,
      expiresAt: Date.parse(row.expiresAt),
      revoked,
    },
    { companyId: row.companyId },
  );
}

/** Returns whether a user has a password. Users of an identity provider have none until they set one by a reset link. */
const hasPassword = (user: LoginUser | undefined): boolean => user?.passwordHash !== '';

const isWithheld = (key: string): boolean => neverProgram.includes(key as PermissionKey);

/** A company's API tokens (AUTH-17). The API gateways check tokens themselves, from their copy of the topic. */
@Injectable()
export class ApiTokens implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    @Inject(BUS) private readonly bus: Bus,
  ) {}

  async access(): Promise<RouteReturn<typeof getApiAccess>> {
    const { userId, permissions } = context();
    return {
      open: await apiOpen(),
      scopes: permissions.filter((key) => !isWithheld(key)),
      passwordNeeded: hasPassword(await findUser(userId!)),
    };
  }

  async set(open: boolean): Promise<void> {
    const now = new Date();
    auditNote({ objectId: context().companyId, detail: { before: { open: await apiOpen() }, after: { open } } });
    await setApiOpen(context().companyId, open, now);
    if (open) return;
    for (const row of await revokeTokens(undefined, heldOrganizations(await ownScope()), now))
      await publishToken(row, true);
    // These belong to users whom the caller may not change.
    if ((await liveTokens(now)).length > 0) fail('user.otherOrganizations');
  }

  async list(query: RouteInput<typeof listApiTokens>['query']): Promise<RouteReturn<typeof listApiTokens>> {
    return pageOfTokens(query, heldOrganizations(await ownScope()));
  }

  async add({ password, ...wish }: RouteInput<typeof addApiToken>['body']): Promise<RouteReturn<typeof addApiToken>> {
    const { companyId, userId } = context();
    const user = found(await transaction(this.database, companySession(companyId), () => findUser(userId!)));
    if (hasPassword(user) && !(await this.logins.passwordIs(user, password)))
      failAt('password', 'auth.oldPasswordWrong');
    return auditedTransaction(this.database, addApiToken.audit, {}, async () => {
      // A reset that comes in between waits for this transaction, and then finds the token that it ends.
      if (!(await holdPassword(user))) failAt('password', 'auth.oldPasswordWrong');
      return this.make(wish);
    });
  }

  private async make({
    name,
    scopes,
    expiresAt,
  }: Omit<RouteInput<typeof addApiToken>['body'], 'password'>): Promise<RouteReturn<typeof addApiToken>> {
    const { companyId, userId, permissions } = context();
    if (!(await apiOpen())) throw new Failure('auth.apiClosed');
    // Users may not grant permissions that they lack (docs/attack-cases.md, B15).
    const beyond = scopes.find((scope) => !permissions.includes(scope) || isWithheld(scope));
    if (beyond) throw new Failure('common.forbidden', { permission: beyond });
    const now = new Date();
    const end = new Date(expiresAt);
    if (end <= now || end.getTime() > now.getTime() + apiTokenDays * 86_400_000)
      failAt('expiresAt', 'auth.apiExpiry', { days: apiTokenDays });
    const token = `${apiTokenPrefix}${randomBytes(32).toString('base64url')}`;
    const hash = createHash('sha256').update(token).digest();
    const unique = [...new Set(scopes)];
    const id = uuidv7();
    const made = currentEntities().create(ApiToken, {
      id,
      companyId,
      userId: userId!,
      name,
      scopes: unique,
      hash,
      createdAt: now.toISOString(),
      expiresAt: end.toISOString(),
      revokedAt: null,
    });
    await publishToken(made, false);
    const orgIds = await organizationsOf([userId!]);
    auditNote({ objectId: id, objectName: name, orgIds, detail: { scopes: unique, expiresAt } });
    return { id, token };
  }

  async revoke(id: string): Promise<void> {
    const [row] = await revokeTokens(id, heldOrganizations(await ownScope()), new Date());
    if (!row) throw new Failure('common.notFound');
    await publishToken(row, true);
    auditNote({ objectId: id, objectName: row.name, orgIds: await organizationsOf([row.userId]) });
  }

  /**
   * Revokes the tokens of users who were disabled, or whose password was reset: someone else may have made them. Runs
   * inside a transaction of their company.
   */
  async endOf(userIds: readonly string[]): Promise<void> {
    for (const row of await revokeTokensOf(userIds)) await publishToken(row, true);
  }

  /** Revokes the tokens of restored users when API access was closed in the meantime. */
  async returned(): Promise<void> {
    if (!(await apiOpen()))
      for (const row of await revokeTokens(undefined, null, new Date())) await publishToken(row, true);
  }

  /** Publishes tokens that the topic lacks (a new or restored bus) at the start. */
  async onApplicationBootstrap(): Promise<void> {
    const known = await publishedVersions(this.bus, authApiToken);
    await platform(this.database, 'compare the published tokens with the table', async () => {
      for (const row of await liveTokens(new Date())) if (!known.has(row.id)) await publishToken(row, false);
    });
  }
}
