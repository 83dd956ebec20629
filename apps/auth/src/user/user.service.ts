import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { authAccess, type addUser, type RouteInput, type UserRecord } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import {
  auditNote,
  CACHE,
  CONFIG,
  countingTaken,
  emitLive,
  fail,
  failAt,
  requestMail,
  type Cache,
} from '@carillon/service';
import { ApiTokens } from '../api-token/api-token.service.ts';
import { AccountLinkService } from '../account-link/account-link.service.ts';
import { publishAccounts } from '../company/account.publisher.ts';
import type { AuthConfig } from '../config.ts';
import { refuseOwnNames } from '../login/own-names.ts';
import { hashPassword } from '../login/password.service.ts';
import { keepingAdministrators } from '../role/administrators.ts';
import { SessionService } from '../session/session.service.ts';
import { accessChanged } from './access.publisher.ts';
import { bringBackUsers, keepUser } from './deleted-user.queries.ts';
import { UserLocks } from './lock.service.ts';
import { insertUser } from './new-user.ts';
import { mailAbout, organizationsOf } from './user-entry.ts';
import { auditable, defaultOrg, newName, onlyOwnFacts, type KnownUser, type UserFields } from './user-fields.ts';
import { usersById } from './user-list.queries.ts';
import { mayGiveOrganizations, mayGiveRoles, mayGiveType, mayTouch, ownScope, type Scope } from './user-scope.ts';
import { orTaken, takenErrors } from './user-taken.ts';
import { defaultZone, User } from './user.entity.ts';
import { lockUsers } from './user.queries.ts';

/** Manages the users of a company for its administrators (USER-01 to USER-03). */
@Injectable()
export class UserService {
  constructor(
    private readonly locks: UserLocks,
    private readonly sessions: SessionService,
    private readonly links: AccountLinkService,
    private readonly tokens: ApiTokens,
    @Inject(CONFIG) private readonly config: AuthConfig,
    @Inject(CACHE) private readonly cache: Cache,
  ) {}

  add(body: RouteInput<typeof addUser>['body']): Promise<UserRecord> {
    return countingTaken(this.cache, takenErrors, () => this.make(body));
  }

  private async make(body: RouteInput<typeof addUser>['body']): Promise<UserRecord> {
    if (body.activation === 'email' && !body.email) failAt('email', 'user.emailMissing');
    if (body.activation === 'password' && body.password === undefined) failAt('password', 'user.passwordMissing');
    const scope = await ownScope();
    await this.check(scope, body);
    if (body.password !== undefined) await refuseOwnNames('password', body.password, body);
    const { companyId, username } = context();
    const id = uuidv7();
    const hash = body.password === undefined || body.activation === 'email' ? '' : await this.hash(body.password);
    await insertUser({
      id,
      companyId,
      username: body.username,
      nickname: body.nickname,
      email: body.email,
      accountType: body.accountType ?? 'ordinary',
      status: 'inactive',
      activation: body.activation,
      passwordHash: hash,
      allOrgs: body.allOrgs,
      orgIds: body.allOrgs ? [] : [...new Set(body.orgIds)],
      defaultOrgId: await defaultOrg(body, null),
      language: body.language ?? null,
      timezoneId: body.timezoneId ?? defaultZone,
      zoneChosen: typeof body.timezoneId === 'number',
      countryId: body.countryId ?? 1,
      erpId: body.erpId ?? null,
      createdBy: username,
      editor: username,
    });
    await this.setRoles(id, body.roleIds);
    if (body.activation === 'email') await this.links.send(id, 'activation');
    await accessChanged([id]);
    const [user] = await usersById([id], []);
    // A caller cannot add users whom they do not see: that was refused above.
    auditNote({
      objectId: id,
      objectName: body.username,
      orgIds: await organizationsOf([id]),
      detail: { before: null, after: auditable(user!) },
    });
    await emitLive(companyId, 'user', [id], null);
    return user!;
  }

  edit(body: UserFields): Promise<UserRecord> {
    return countingTaken(this.cache, takenErrors, () => keepingAdministrators([body.id], () => this.change(body)));
  }

  private async change(body: UserFields): Promise<UserRecord> {
    const scope = await ownScope();
    const [before] = await this.held(scope, [body.id]);
    const orgsBefore = await organizationsOf([body.id]);
    const username = newName(before!.username, body.username);
    const sameEmail = (body.email ?? '').toLowerCase() === (before!.email ?? '').toLowerCase();
    // Own addresses change only by the password and a link to the new address: an unattended session must not be enough
    // to take over the account.
    if (before!.id === scope.userId && !sameEmail) failAt('email', 'user.emailByLink');
    if (before!.id === scope.userId) onlyOwnFacts(before!, body);
    else await this.check(scope, { ...body, accountType: body.accountType ?? before!.accountType });
    const { timezoneId } = body;
    await orTaken(
      currentEntities().nativeUpdate(
        User,
        { id: body.id },
        {
          username,
          nickname: body.nickname,
          email: body.email,
          allOrgs: body.allOrgs,
          orgIds: body.allOrgs ? [] : [...new Set(body.orgIds)],
          defaultOrgId: await defaultOrg(body, before!.defaultOrgId),
          editor: context().username,
          // What the call omits stays; a zone of null is that of the company.
          ...(body.accountType === undefined ? {} : { accountType: body.accountType }),
          ...(body.language === undefined ? {} : { language: body.language }),
          ...(timezoneId === undefined
            ? {}
            : { timezoneId: timezoneId ?? defaultZone, zoneChosen: timezoneId !== null }),
          ...(body.countryId === undefined ? {} : { countryId: body.countryId }),
          ...(body.erpId === undefined ? {} : { erpId: body.erpId }),
        },
      ),
    );
    if (body.id !== scope.userId) await this.setRoles(body.id, body.roleIds);
    if (!sameEmail) await this.emailChanged(before!, body.email);
    await accessChanged([body.id]);
    const [after] = await this.find([body.id]);
    auditNote({
      objectId: body.id,
      objectName: username,
      orgIds: [...orgsBefore, ...(await organizationsOf([body.id]))],
      detail: { before: auditable(before!), after: auditable(after!) },
    });
    await emitLive(context().companyId, 'user', [body.id], null);
    await emitLive(context().companyId, 'menu', ['menu'], null);
    return after!;
  }

  delete(ids: readonly string[]): Promise<number> {
    return keepingAdministrators(ids, () => this.remove(ids));
  }

  private async remove(ids: readonly string[]): Promise<number> {
    const users = await this.touchable(ids);
    const orgIds = await organizationsOf(ids);
    await publishAccounts(ids, 'disabled');
    for (const user of users) {
      await this.sessions.endAll(user.id, new Date(), 'user');
      await keepUser(user.id);
      await currentSql().query('delete from user_account where id = $1', [user.id]);
      // A tombstone removes the user from the compacted topic; consumers delete their copy.
      await emit(authAccess, 'access', user.id, null, { companyId: context().companyId });
    }
    return this.publishChange(users, orgIds);
  }

  async restore(ids: readonly string[]): Promise<{ restored: number; taken: string[] }> {
    const { back, taken } = await bringBackUsers(ids);
    if (back.length + taken.length === 0) return { restored: 0, taken };
    if (back.length === 0) fail('user.restoreTaken', { names: taken.join(', ').slice(0, 256) });
    await this.tokens.returned();
    const scope = await ownScope();
    // The users may have more permissions than the caller by now.
    const users = await this.held(scope, back);
    await accessChanged(back);
    auditNote({
      ...(users.length === 1 ? { objectId: users[0]!.id } : {}),
      objectName: users
        .map((u) => u.username)
        .join(', ')
        .slice(0, 256),
      orgIds: await organizationsOf(back),
      detail: { ids: back, before: null, after: Object.fromEntries(users.map((u) => [u.username, u.status])) },
    });
    await emitLive(context().companyId, 'user', back, null);
    return { restored: back.length, taken };
  }

  disable(ids: readonly string[]): Promise<number> {
    return keepingAdministrators(ids, () => this.close(ids));
  }

  private async close(ids: readonly string[]): Promise<number> {
    const users = await this.touchable(ids);
    await currentSql().query(`update user_account set status = 'disabled', editor = $2 where id = any ($1::uuid[])`, [
      ids,
      context().username,
    ]);
    for (const user of users) {
      await this.sessions.endAll(user.id, new Date(), 'user');
      await this.links.revoke(user.id);
    }
    await this.tokens.endOf(ids);
    await accessChanged(ids);
    return this.publishChange(users);
  }

  /** Restores the former status: an account that was never activated still has to be. */
  async enable(ids: readonly string[]): Promise<number> {
    const users = await this.touchable(ids);
    await currentSql().query(
      `
        update user_account
        set status = case when activated_at is null and last_login_at is null then 'inactive' else 'normal' end,
          editor = $2
        where id = any ($1::uuid[]) and status = 'disabled'
      `,
      [ids, context().username],
    );
    await accessChanged(ids);
    return this.publishChange(users);
  }

  async unlock(ids: readonly string[]): Promise<number> {
    const users = await this.touchable(ids);
    await this.locks.unlock(ids);
    await currentSql().query(
      `update user_account set status = 'normal' where id = any ($1::uuid[]) and status = 'locked'`,
      [ids],
    );
    await accessChanged(ids);
    return this.publishChange(users);
  }

  async resendActivation(id: string, password: string | undefined): Promise<void> {
    const [user] = await this.touchable([id]);
    auditNote({ objectId: id, objectName: user!.username, orgIds: await organizationsOf([id]) });
    if (user!.status !== 'inactive') fail('user.notInactive');
    if (password !== undefined) {
      await refuseOwnNames('password', password, user!);
      await currentSql().query(
        `
          update user_account
          set activation = 'password', password_hash = $2, tokens_valid_after = now()
          where id = $1
        `,
        [id, await this.hash(password)],
      );
      await this.links.revoke(id);
      await this.sessions.endAll(id, new Date(), 'user');
      await this.tokens.endOf([id]);
      await accessChanged([id]);
      return;
    }
    if (user!.activation === 'password') failAt('password', 'user.passwordMissing');
    if (user!.email === null) failAt('email', 'user.emailMissing');
    await this.links.send(id, 'activation');
  }

  private async check(
    scope: Scope,
    body: {
      roleIds: readonly string[];
      allOrgs: boolean;
      orgIds: readonly string[];
      accountType?: UserRecord['accountType'] | undefined;
    },
  ): Promise<void> {
    mayGiveType(scope, body.accountType ?? 'ordinary');
    await mayGiveRoles(scope, body.roleIds);
    await mayGiveOrganizations(scope, body);
  }

  /** Returns all of these users. Fails when one does not exist or is not visible. */
  private async find(ids: readonly string[]): Promise<KnownUser[]> {
    const users = await usersById([...new Set(ids)], await this.locks.locked());
    if (users.length !== new Set(ids).size) fail('user.missing');
    return users;
  }

  private async touchable(ids: readonly string[]): Promise<KnownUser[]> {
    const scope = await ownScope();
    const users = await this.held(scope, ids);
    if (users.some((user) => user.id === scope.userId)) fail('user.notYourself');
    return users;
  }

  /** Returns these users and locks them until the transaction ends. Fails when the acting user may not change one. */
  private async held(scope: Scope, ids: readonly string[]): Promise<KnownUser[]> {
    await lockUsers('u.id = any ($1::uuid[])', [ids], 'update');
    const users = await this.find(ids);
    await mayTouch(scope, users);
    return users;
  }

  /** Revokes links to the old address and notifies that address of the change. */
  private async emailChanged(before: KnownUser, email: string | null): Promise<void> {
    await this.links.revoke(before.id);
    if (before.email === null) return;
    await requestMail(this.config.mailKey, {
      template: 'emailChanged',
      to: before.email,
      language: before.language ?? context().language,
      about: await mailAbout(before.id),
      data: { name: before.nickname, email: email ?? '-' },
    });
  }

  private async setRoles(userId: string, roleIds: readonly string[]): Promise<void> {
    const { companyId } = context();
    const wanted = [...new Set(roleIds)];
    await currentSql().query('delete from user_role where user_id = $1 and not role_id = any ($2::uuid[])', [
      userId,
      wanted,
    ]);
    for (const roleId of wanted)
      await currentSql().query(
        `
          insert into user_role (id, company_id, user_id, role_id)
          values ($1, $2, $3, $4)
          on conflict (user_id, role_id) do nothing
        `,
        [uuidv7(), companyId, userId, roleId],
      );
  }

  private async publishChange(users: readonly KnownUser[], orgIds?: readonly string[]): Promise<number> {
    auditNote({
      orgIds: orgIds ?? (await organizationsOf(users.map((u) => u.id))),
      ...(users.length === 1 ? { objectId: users[0]!.id } : {}),
      objectName: users
        .map((u) => u.username)
        .join(', ')
        .slice(0, 256),
      detail: { ids: users.map((u) => u.id), ...(await this.statuses(users)) },
    });
    await emitLive(
      context().companyId,
      'user',
      users.map((u) => u.id),
      null,
    );
    return users.length;
  }

  /** Returns the status of each user by name, before and after, for the single log entry of a bulk change. */
  private async statuses(
    users: readonly KnownUser[],
  ): Promise<{ before: Record<string, string>; after: Record<string, string> | null }> {
    const now = new Map(
      (
        await usersById(
          users.map((u) => u.id),
          await this.locks.locked(),
        )
      ).map((u) => [u.id, u.status]),
    );
    const left = users.filter((u) => now.has(u.id));
    return {
      before: Object.fromEntries(users.map((u) => [u.username, u.status])),
      after: left.length === 0 ? null : Object.fromEntries(left.map((u) => [u.username, now.get(u.id)!])),
    };
  }

  private hash(password: string): Promise<string> {
    return hashPassword(createHash('md5').update(password).digest('hex'), this.config.passwordPepper);
  }
}
