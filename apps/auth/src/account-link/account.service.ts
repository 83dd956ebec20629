import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { resendMinutes, resendSeconds, type ErrorKey } from '@carillon/contracts';
import { companySession, currentEntities, currentSql, Database, platform, transaction } from '@carillon/persistence';
import { context, runAs } from '@carillon/tenancy';
import {
  CACHE,
  CONFIG,
  countingTaken,
  fail,
  failAt,
  Failure,
  found,
  networkOf,
  requestMail,
  seal,
  unseal,
  type Cache,
} from '@carillon/service';
import { ApiTokens } from '../api-token/api-token.service.ts';
import type { AuthConfig } from '../config.ts';
import { findByName, findUser, type LoginUser } from '../login/login.queries.ts';
import { LoginService } from '../login/login.service.ts';
import { refuseOwnNames } from '../login/own-names.ts';
import { User } from '../user/user.entity.ts';
import { PasswordService } from '../login/password.service.ts';
import { SessionService } from '../session/session.service.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { UserLocks } from '../user/lock.service.ts';
import { emitUserEntry, mailAbout } from '../user/user-entry.ts';
import { orTaken, takenErrors } from '../user/user-taken.ts';
import { AccountLinkService, type LinkedUser, type LinkKind } from './account-link.service.ts';

const invalid: Record<LinkKind, ErrorKey> = {
  activation: 'link.activationInvalid',
  passwordReset: 'link.resetInvalid',
  emailChange: 'link.emailInvalid',
};
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
/** The minimum duration of an answer about an account, so that timing does not tell whether the account exists. */
const leastMs = 250;
const askedPerMinute = 30;
interface Ticket {
  name: string;
  until: number;
}

/**
 * What users do with their account while logged out: forgotten password, activation, new email (AUTH-10 to AUTH-12).
 */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly links: AccountLinkService,
    private readonly logins: LoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly locks: UserLocks,
    private readonly tokens: ApiTokens,
    @Inject(CONFIG) private readonly config: AuthConfig,
    @Inject(CACHE) private readonly cache: Cache,
  ) {}

  /** Answers the same for every name. Mails a reset link, or the activation link again when the account is inactive. */
  async forgot(name: string): Promise<{ ticket: string; resendSeconds: number; resendMinutes: number }> {
    await this.admit();
    await this.ask(name);
    return {
      ticket: seal(this.config.tokenKey, 'resend', {
        name,
        until: Date.now() + resendMinutes * 60_000,
      } satisfies Ticket),
      resendSeconds,
      resendMinutes,
    };
  }

  async resend(ticket: string): Promise<{ ticket: string; resendSeconds: number; resendMinutes: number }> {
    await this.admit();
    const known = unseal<Ticket>(this.config.tokenKey, 'resend', ticket);
    if (!known) return fail('link.pageExpired');
    if (known.until < Date.now()) fail('link.resendExpired');
    await this.ask(known.name);
    return { ticket, resendSeconds, resendMinutes };
  }

  private async ask(name: string): Promise<void> {
    const rest = new Promise((resolve) => {
      setTimeout(resolve, leastMs);
    });
    const user = await platform(this.database, 'forgotten password: whose name is this', () => findByName(name));
    const kind =
      user?.status === 'inactive'
        ? 'activation'
        : user?.status === 'normal' || user?.status === 'locked'
          ? 'passwordReset'
          : undefined;
    if (user && kind) {
      await this.as(user, async () => {
        // The limit stays silent: an error would reveal that the account exists.
        await this.links.send(user.id, kind).catch((error: unknown) => {
          if (!(error instanceof Failure && error.key === 'common.tooMany')) throw error;
        });
        await emitUserEntry(user.id, 'user.forgotPassword', 'success', { objectName: user.username });
      });
    }
    await rest;
  }

  async check(kind: LinkKind, token: string): Promise<{ username: string; email: string | null }> {
    await this.admit();
    const link = await this.linkOf(kind, token);
    return { username: link.username, email: kind === 'emailChange' ? link.linkEmail : link.email };
  }

  async resetPassword(token: string, newPassword: string): Promise<void> {
    await this.admit();
    const link = await this.linkOf('passwordReset', token);
    if (link.status !== 'normal' && link.status !== 'locked') fail('link.resetInvalid');
    if ((await this.passwords.verify(md5(newPassword), link.passwordHash)).right)
      failAt('newPassword', 'auth.passwordSame');
    await this.as(link, () => refuseOwnNames('newPassword', newPassword, link));
    const hash = await this.passwords.hash(md5(newPassword));
    await this.as(link, async () => {
      if (!(await this.links.use(link.linkId))) fail('link.resetInvalid');
      await this.setPassword(link.userId, hash, false);
      // The owner of the mailbox is no guesser. This is the way back in for users whom an attacker locked out on
      // purpose (docs/attack-cases.md, A6).
      await this.locks.unlock([link.userId]);
      await this.sessions.endAll(link.userId, new Date(), 'user');
      await this.tokens.endOf([link.userId]);
      await this.links.revoke(link.userId);
      await accessChanged([link.userId]);
      if (link.email)
        await requestMail(this.config.mailKey, {
          template: 'passwordChanged',
          to: link.email,
          language: link.language ?? context().language,
          about: await mailAbout(link.userId),
          data: { name: link.nickname },
        });
      await emitUserEntry(link.userId, 'user.resetPassword', 'success', { objectName: link.username });
    });
  }

  async activate(token: string, newPassword: string): Promise<void> {
    await this.admit();
    const link = await this.linkOf('activation', token);
    if (link.status !== 'inactive') fail('link.activationInvalid');
    await this.as(link, () => refuseOwnNames('newPassword', newPassword, link));
    const hash = await this.passwords.hash(md5(newPassword));
    await this.as(link, async () => {
      if (!(await this.links.use(link.linkId))) fail('link.activationInvalid');
      await this.setPassword(link.userId, hash, true);
      await accessChanged([link.userId]);
      await emitUserEntry(link.userId, 'user.activate', 'success', { objectName: link.username });
    });
  }

  /**
   * Activates an account by its first password, which an administrator passed on. Failures count and lock like a login
   * (AUTH-05).
   */
  async activateByPassword(name: string, password: string, newPassword: string): Promise<void> {
    await this.admit();
    const user = await this.logins.prove(name, md5(password));
    if (user.status === 'disabled') fail('auth.disabled');
    if (user.status !== 'inactive') fail('user.notInactive');
    if (newPassword === password) failAt('newPassword', 'auth.passwordSame');
    await this.as(user, () => refuseOwnNames('newPassword', newPassword, user));
    const hash = await this.passwords.hash(md5(newPassword));
    await this.as(user, async () => {
      await this.setPassword(user.id, hash, true);
      await this.links.revoke(user.id);
      await accessChanged([user.id]);
      await emitUserEntry(user.id, 'user.activate', 'success', { objectName: user.username });
    });
  }

  async requestEmail(email: string, password: string): Promise<{ email: string; resendSeconds: number }> {
    const { userId, companyId } = context();
    const user = found(await transaction(this.database, companySession(companyId), () => findUser(userId!)));
    if (!(await this.logins.passwordIs(user, password))) failAt('password', 'auth.oldPasswordWrong');
    await countingTaken(this.cache, takenErrors, () =>
      transaction(this.database, companySession(companyId), async () => {
        const own = await currentEntities().findOne(User, userId!, { fields: ['email'] });
        if (own?.email?.toLowerCase() === email.toLowerCase()) failAt('email', 'user.emailSame');
        if (await platform(this.database, 'is this email in use', () => emailInUse(email, userId!)))
          failAt('email', 'user.emailTaken');
        await this.links.send(userId!, 'emailChange', email);
        await emitUserEntry(userId!, 'user.requestEmail', 'success');
      }),
    );
    return { email, resendSeconds };
  }

  async resendEmail(): Promise<{ email: string; resendSeconds: number }> {
    const { userId, companyId } = context();
    return transaction(this.database, companySession(companyId), async () => {
      const email = found(await this.links.pendingEmail(userId!), 'link.pageExpired');
      await this.links.send(userId!, 'emailChange', email);
      return { email, resendSeconds };
    });
  }

  /** Ends every session afterwards, because the user returns to the login (AUTH-11). */
  async confirmEmail(token: string): Promise<{ email: string }> {
    await this.admit();
    const link = await this.linkOf('emailChange', token);
    const email = link.linkEmail!;
    await this.as(link, async () => {
      if (!(await this.links.use(link.linkId))) fail('link.emailInvalid');
      await orTaken(
        currentSql().query('update user_account set email = $2, tokens_valid_after = now() where id = $1', [
          link.userId,
          email,
        ]),
      );
      // A link to the old address must not outlive it (docs/attack-cases.md, A23).
      await this.links.revoke(link.userId);
      await this.sessions.endAll(link.userId, new Date(), 'user');
      await accessChanged([link.userId]);
      if (link.email)
        await requestMail(this.config.mailKey, {
          template: 'emailChanged',
          to: link.email,
          language: link.language ?? context().language,
          about: await mailAbout(link.userId),
          data: { name: link.nickname, email },
        });
      await emitUserEntry(link.userId, 'user.changeEmail', 'success', { objectName: link.username });
    });
    return { email };
  }

  private async linkOf(kind: LinkKind, token: string): Promise<LinkedUser> {
    return found(
      await platform(this.database, 'whose link is this', () => this.links.find(kind, token)),
      invalid[kind],
    );
  }

  private async setPassword(userId: string, hash: string, activated: boolean): Promise<void> {
    await currentSql().query(
      `
        update user_account
        set password_hash = $2, must_change_password = false, tokens_valid_after = now(),
          status = case when $3 then 'normal' else status end,
          activated_at = case when $3 then now() else activated_at end
        where id = $1
      `,
      [userId, hash, activated],
    );
  }

  private as<T>(user: LoginUser | LinkedUser, fn: () => Promise<T>): Promise<T> {
    const userId = 'userId' in user ? user.userId : user.id;
    return runAs({ ...context(), userId, username: user.username, companyId: user.companyId }, () =>
      transaction(this.database, companySession(user.companyId), fn),
    );
  }

  /** Limits the questions about accounts from one address (IPv6: one /64). */
  private async admit(): Promise<void> {
    const asked = await this.cache.increment(`limit:account:${networkOf(context().address ?? '')}`, 60_000);
    if (asked > askedPerMinute) fail('common.tooMany', { seconds: 60 });
  }
}

async function emailInUse(email: string, butBy: string): Promise<boolean> {
  return (
    (
      await currentSql().query('select 1 as one from user_account where lower(email) = lower($1) and id <> $2', [
        email,
        butBy,
      ])
    ).rowCount > 0
  );
}
