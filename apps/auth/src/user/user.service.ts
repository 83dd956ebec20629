import { createHash } from 'node:crypto';
import { raw, type QueryOrderMap } from '@mikro-orm/postgresql';
import { defaultZone } from './user.entity.ts';
import { Inject, Injectable } from '@nestjs/common';
import { addUser, editUser, authAccess, type ErrorKey, type RouteInput, type UserRecord } from '@carillon/contracts';
import { loginNameFault, toLoginName } from '@carillon/contracts/login-name';
import { emit } from '@carillon/messaging';
import { alphabetic, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
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
import { tellAccounts } from '../company/account.ts';
import type { AuthConfig } from '../config.ts';
import { refuseOwnNames } from '../login/own-names.ts';
import { hashPassword } from '../login/password.service.ts';
import { OrganizationCopy } from '../organization/organization-copy.entity.ts';
import { keepingAdministrators } from '../role/administrators.ts';
import { SessionService } from '../session/session.service.ts';
import { accessChanged } from './access.ts';
import { bringBackUsers, keepUser } from './deleted-user.queries.ts';
import { UserLocks } from './lock.service.ts';
import { mailAbout, organizationsOf } from './user-entry.ts';
import { usersById } from './user-list.queries.ts';
import { mayGiveOrganizations, mayGiveRoles, mayGiveType, mayTouch, ownScope, type Scope } from './user-scope.ts';
import { lockUsers } from './user.queries.ts';

type Fields = RouteInput<typeof editUser>['body'];
type Known = UserRecord & { permissions: string[] };

/** Unique indexes and their errors. */
const taken: Record<string, { error: ErrorKey; path: string }> = {
  user_account_username: { error: 'user.nameTaken', path: 'username' },
  user_account_email: { error: 'user.emailTaken', path: 'email' },
};

/** Errors that reveal that a name exists, perhaps in another company. */
export const takenErrors = Object.values(taken).map(({ error }) => error);

/**
 * Maps a violated unique index to its error. Names and emails are unique in the whole installation, and the index
 * decides between two parallel calls.
 */
export async function orTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const found = taken[(error as { constraint?: string }).constraint ?? ''];
    if (found) failAt(found.path, found.error);
    throw error;
  }
}

const auditable = ({
  username,
  nickname,
  email,
  accountType,
  status,
  roles,
  allOrgs,
  orgs,
  erpId,
  timezoneId,
  zoneChosen,
  language,
}: UserRecord): Record<string, unknown> => ({
  username,
  nickname,
  email,
  accountType,
  status,
  roles: roles.map((r) => r.name),
  allOrgs,
  orgs: orgs.map((o) => o.name),
  erpId,
  timezoneId: zoneChosen ? timezoneId : null,
  language,
});

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
    await orTaken(
      currentSql().query(
        `
          insert into user_account (
            id, company_id, username, nickname, email, account_type, status, activation, password_hash, all_orgs,
            org_ids, default_org_id, language, timezone_id, zone_chosen, country_id, erp_id, created_by, editor,
            tokens_valid_after, version, created_at, updated_at
          )
          values (
            $1, $2, $3, $4, $5, $6, 'inactive', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, to_timestamp(0),
            0, now(), now()
          )
        `,
        [
          id,
          companyId,
          body.username,
          body.nickname,
          body.email,
          body.accountType ?? 'ordinary',
          body.activation,
          hash,
          body.allOrgs,
          body.allOrgs ? [] : [...new Set(body.orgIds)],
          await defaultOrg(body, null),
          body.language ?? null,
          body.timezoneId ?? defaultZone,
          typeof body.timezoneId === 'number',
          body.countryId ?? 1,
          body.erpId ?? null,
          username,
        ],
      ),
    );
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

  edit(body: Fields): Promise<UserRecord> {
    return countingTaken(this.cache, takenErrors, () => keepingAdministrators([body.id], () => this.change(body)));
  }

  private async change(body: Fields): Promise<UserRecord> {
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
    await orTaken(
      currentSql().query(
        `
          update user_account
          set username = $2, nickname = $3, email = $4, account_type = coalesce($5, account_type), all_orgs = $6,
            org_ids = $7, default_org_id = $8, language = case when $9 then $10 else language end,
            timezone_id = case when $16 then coalesce($11, ${defaultZone}) else timezone_id end,
            zone_chosen = case when $16 then $11::int is not null else zone_chosen end,
            country_id = coalesce($12, country_id), erp_id = case when $13 then $14 else erp_id end, editor = $15
          where id = $1
        `,
        [
          body.id,
          username,
          body.nickname,
          body.email,
          body.accountType ?? null,
          body.allOrgs,
          body.allOrgs ? [] : [...new Set(body.orgIds)],
          await defaultOrg(body, before!.defaultOrgId),
          body.language !== undefined,
          body.language ?? null,
          body.timezoneId ?? null,
          body.countryId ?? null,
          body.erpId !== undefined,
          body.erpId ?? null,
          context().username,
          body.timezoneId !== undefined,
        ],
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
    await tellAccounts(ids, 'disabled');
    for (const user of users) {
      await this.sessions.endAll(user.id, new Date(), 'user');
      await keepUser(user.id);
      await currentSql().query('delete from user_account where id = $1', [user.id]);
      // A tombstone removes the user from the compacted topic; consumers delete their copy.
      await emit(authAccess, 'access', user.id, null, { companyId: context().companyId });
    }
    return this.tell(users, orgIds);
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
    return this.tell(users);
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
    return this.tell(users);
  }

  async unlock(ids: readonly string[]): Promise<number> {
    const users = await this.touchable(ids);
    await this.locks.unlock(ids);
    await currentSql().query(
      `update user_account set status = 'normal' where id = any ($1::uuid[]) and status = 'locked'`,
      [ids],
    );
    await accessChanged(ids);
    return this.tell(users);
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
  private async find(ids: readonly string[]): Promise<Known[]> {
    const users = await usersById([...new Set(ids)], await this.locks.locked());
    if (users.length !== new Set(ids).size) fail('user.missing');
    return users;
  }

  private async touchable(ids: readonly string[]): Promise<Known[]> {
    const scope = await ownScope();
    const users = await this.held(scope, ids);
    if (users.some((user) => user.id === scope.userId)) fail('user.notYourself');
    return users;
  }

  /** Returns these users and locks them until the transaction ends. Fails when the acting user may not change one. */
  private async held(scope: Scope, ids: readonly string[]): Promise<Known[]> {
    await lockUsers('u.id = any ($1::uuid[])', [ids], 'update');
    const users = await this.find(ids);
    await mayTouch(scope, users);
    return users;
  }

  /** Revokes links to the old address and notifies that address of the change. */
  private async emailChanged(before: Known, email: string | null): Promise<void> {
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

  private async tell(users: readonly Known[], orgIds?: readonly string[]): Promise<number> {
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
    users: readonly Known[],
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

/** Returns the organization for new objects that name none. Keeps the current one while the user still has it. */
async function defaultOrg(
  { allOrgs, orgIds }: { allOrgs: boolean; orgIds: readonly string[] },
  before: string | null,
): Promise<string> {
  if (!allOrgs) return before !== null && orgIds.includes(before) ? before : orgIds[0]!;
  if (before !== null) return before;
  const orderBy: QueryOrderMap<OrganizationCopy>[] = [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }];
  const [first] = await currentEntities().findAll(OrganizationCopy, { orderBy, limit: 1 });
  return first?.id ?? context().orgId ?? fail('user.organizationMissing');
}

/**
 * Checks a changed login name against the rule; an unchanged one is accepted, whatever the rule was when it was given.
 */
function newName(before: string, wanted: string): string {
  if (wanted === before) return before;
  const name = toLoginName(wanted);
  const fault = loginNameFault(name);
  if (fault) failAt('username', fault);
  return name;
}

/** Users may not change their own permissions; another administrator has to. */
function onlyOwnFacts(before: Known, body: Fields): void {
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.length === b.length && a.every((x) => b.includes(x));
  if (
    !same(
      before.roles.map((r) => r.id),
      [...new Set(body.roleIds)],
    ) ||
    before.allOrgs !== body.allOrgs ||
    (!body.allOrgs &&
      !same(
        before.orgs.map((o) => o.id),
        [...new Set(body.orgIds)],
      )) ||
    (body.accountType ?? before.accountType) !== before.accountType
  )
    fail('user.notYourself');
}
