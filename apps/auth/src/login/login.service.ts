import { createHash, createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { tokenCall, TwoStepMethod } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { companySession, Database, platform, transaction } from '@carillon/persistence';
import { context, runAs } from '@carillon/tenancy';
import { CONFIG, Failure, found } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { CaptchaService } from '../captcha/captcha.service.ts';
import { SessionService, type TokenPair } from '../session/session.service.ts';
import { ticketPrefix, Tickets, type Ticket } from '../two-step/ticket.service.ts';
import { AddressThrottle } from './address.service.ts';
import { typedKey } from '../user/lock.service.ts';
import { emitUserEntry } from '../user/user-entry.ts';
import {
  countTyped,
  failuresOf,
  findByName,
  findUser,
  forgetFailures,
  giveTryBack,
  isLocked,
  storeLogin,
  type LoginUser,
} from './login.queries.ts';
import { PasswordService } from './password.service.ts';
import { Tries, type Try } from './tries.service.ts';
import { type TokenAnswer, answer, visiting } from './token-answer.ts';

export type TokenCall = z.output<typeof tokenCall>;
/**
 * Revealed only after the correct password (AUTH-06). `locked` by an administrator reads like the lock after failures.
 */
const statusErrors: Record<string, ErrorKey> = {
  inactive: 'auth.notActivated',
  disabled: 'auth.disabled',
  locked: 'auth.accountLocked',
};
/** Errors for the state of the user's company (AUTH-06). */
const companyErrors: Record<string, ErrorKey> = {
  inactive: 'auth.channelNotActive',
  locked: 'auth.channelLocked',
  disabled: 'auth.channelDeactivated',
  deactivated: 'auth.channelDeactivated',
};
/** An inactive channel has its own error, which comes first; then the account's state, then the company's. */
const closedBy = ({ status, companyStatus }: LoginUser): ErrorKey | undefined =>
  (companyStatus === 'inactive' ? companyErrors['inactive'] : undefined) ??
  statusErrors[status] ??
  companyErrors[companyStatus];
const md5Pattern = /^[0-9a-fA-F]{32}$/;

/** What a login call carries besides its fields. */
export interface LoginFrom {
  browser: string | null;
  captcha: { key: string | undefined; code: string | undefined };
}

/** The token call (AUTH-03, AUTH-05 to AUTH-07). */
@Injectable()
export class LoginService {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionService,
    private readonly passwords: PasswordService,
    private readonly addresses: AddressThrottle,
    private readonly captchas: CaptchaService,
    private readonly tickets: Tickets,
    private readonly tries: Tries,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  /** Handles grant_type=captcha: user name and MD5 of the password. */
  async login(call: TokenCall, { browser, captcha }: LoginFrom): Promise<TokenAnswer> {
    if (call.key?.startsWith(ticketPrefix)) return this.second(call.key, call.code);
    const now = new Date();
    const address = context().address;
    const name = (call.username ?? '').trim();
    this.addresses.admit(address, now);
    const { user, key, locked, failures } = await this.named(name, now);
    if (locked) throw new Failure('auth.accountLocked');
    let typed = true;
    try {
      if (this.captchas.neededAfter(failures))
        await this.captchas.check(captcha.key, captcha.code).catch((error: unknown) => {
          this.addresses.count(address, now);
          if (!(error instanceof Failure)) throw error;
          // A missing or wrong captcha answer is a failure: five lock the account like wrong passwords (AUTH-05).
          typed = false;
          return this.tries.run(key, (one) => this.refuse(one, user, name, error.key));
        });
      return await this.tries.run(key, async (one) => {
        const password = call.password ?? '';
        const verdict = await this.passwords.verify(md5Pattern.test(password) ? password : '', user?.passwordHash);
        // Checks again, because other attempts may have failed while this one waited.
        this.addresses.admit(address, now);
        if (!user || !verdict.right) {
          typed = false;
          this.addresses.count(address, now);
          return await this.refuse(one, user, name, 'auth.wrongCredentials');
        }
        const refused = closedBy(user);
        const newHash = verdict.outdated && !refused ? await this.passwords.hash(password) : undefined;
        const outcome = await this.as(user, () =>
          transaction(this.database, companySession(user.companyId), async () => {
            const methods = await this.tickets.methodsOf(user);
            const error = (await isLocked(key, new Date()))
              ? 'auth.accountLocked'
              : (refused ?? (methods === 'impossible' ? 'auth.twoStepImpossible' : undefined));
            if (error) {
              await this.logFailure(user, name, error);
              return error;
            }
            await forgetFailures(this.typedKey(name), now);
            // Keeps the account's count until the second step is done, so that a known password does not allow endless
            // attempts.
            if (methods.length > 0) return methods as TwoStepMethod[];
            return this.enter(user, key, { address, browser }, now, newHash);
          }),
        );
        if (typeof outcome === 'string') throw new Failure(outcome);
        typed = false;
        if (Array.isArray(outcome)) return this.askMore(user, outcome, browser);
        one.forgotten();
        return answer(user, outcome);
      });
    } finally {
      if (typed) await platform(this.database, 'give a try back', () => giveTryBack(this.typedKey(name), now));
    }
  }

  /** Finds the account of a typed name, and counts the attempt unless the account is locked. */
  private named(name: string, now: Date) {
    return platform(this.database, 'login: whose name is this', async () => {
      const user = name === '' ? undefined : await findByName(name);
      const key = this.keyOf(user, name);
      const locked = await isLocked(key, now);
      if (locked) await this.logFailure(user, name, 'auth.accountLocked');
      const failures = locked ? 0 : await countTyped(this.typedKey(name), now, this.limits());
      return { user, key, locked, failures };
    });
  }

  /** Handles the second step: `key` and `code` of the token call. */
  private async second(key: string, code: string | undefined): Promise<TokenAnswer> {
    const ticket = await this.tickets.read(key);
    if (!code?.trim()) throw new Failure('auth.codeRequired');
    const now = new Date();
    const user = await transaction(this.database, companySession(ticket.companyId), () => findUser(ticket.userId));
    const nameKey = this.keyOf(user, '');
    const closed = !user
      ? 'auth.codeExpired'
      : (await platform(this.database, 'is this account locked', () => isLocked(nameKey, now)))
        ? 'auth.accountLocked'
        : closedBy(user);
    if (closed) throw new Failure(closed);
    return this.tries.run(nameKey, async (one) => {
      if (!(await this.tickets.verify(key, ticket, code.trim())))
        return await this.refuseStep(one, ticket, 'auth.codeWrong');
      // The ticket was issued for the password at that time; a changed password invalidates it.
      if (ticket.proof !== proofOf(user!)) throw new Failure('auth.codeExpired');
      const started = await this.as(user!, () =>
        transaction(this.database, companySession(ticket.companyId), () =>
          this.enter(user!, nameKey, { address: context().address, browser: ticket.from.browser }, now, undefined),
        ),
      );
      one.forgotten();
      return answer(user!, started);
    });
  }

  /** Checks a passkey for a login that waits for its second step. Returns a code that completes the login. */
  async answerPasskey(key: string, response: Record<string, unknown>, request: FastifyRequest): Promise<string> {
    const ticket = await this.tickets.read(key);
    return this.tries.run(this.keyOf({ id: ticket.userId }, ''), async (one) => {
      const code = await this.tickets.answerPasskey(key, response, request);
      return code ?? (await this.refuseStep(one, ticket, 'auth.passkeyWrong'));
    });
  }

  /**
   * Logs in a user whom an identity provider vouches for. A closed account stays closed; second steps are the
   * provider's.
   */
  async enterAs(
    { userId, companyId }: { userId: string; companyId: string },
    from: { browser: string | null },
  ): Promise<TokenAnswer> {
    const now = new Date();
    const user = found(await transaction(this.database, companySession(companyId), () => findUser(userId)));
    const key = this.keyOf(user, '');
    const locked = await platform(this.database, 'is this account locked', () => isLocked(key, now));
    const refused = locked ? 'auth.accountLocked' : closedBy(user);
    if (refused) {
      await this.as(user, () =>
        transaction(this.database, companySession(companyId), () => this.logFailure(user, user.username, refused)),
      );
      throw new Failure(refused);
    }
    return answer(
      user,
      await this.as(user, () =>
        transaction(this.database, companySession(companyId), () =>
          this.enter(user, key, { address: context().address, browser: from.browser }, now, undefined),
        ),
      ),
    );
  }

  /** Counts a wrong second step like a wrong password: five failures of any kind lock the account (AUTH-05). */
  private async refuseStep(one: Try, ticket: Ticket, error: ErrorKey): Promise<never> {
    this.addresses.count(context().address, new Date());
    const user = await transaction(this.database, companySession(ticket.companyId), () => findUser(ticket.userId));
    return this.refuse(one, user, ticket.username, error);
  }

  private async refuse(one: Try, user: LoginUser | undefined, name: string, error: ErrorKey): Promise<never> {
    const refused = (await one.wrong(user)) ? 'auth.accountLocked' : error;
    await platform(this.database, 'login: tell of a failure', () => this.logFailure(user, name, refused));
    throw new Failure(refused);
  }

  private async askMore(user: LoginUser, methods: TwoStepMethod[], browser: string | null): Promise<never> {
    const key = await this.tickets.open({
      userId: user.id,
      companyId: user.companyId,
      username: user.nickname || user.username,
      email: user.email,
      methods,
      from: { browser },
      proof: proofOf(user),
    });
    const mail = methods.includes('email')
      ? await this.as(user, () => this.tickets.mail(key, context().language))
      : undefined;
    throw new Failure('auth.twoStepRequired', {}, [], { key, methods, ...(mail ? { mail } : {}) });
  }

  /** Runs inside a transaction of the user's company. */
  private async enter(
    user: LoginUser,
    key: Buffer,
    from: { address: string | null; browser: string | null },
    now: Date,
    newHash: string | undefined,
  ): Promise<TokenPair & { sessionId: string }> {
    if (!(await storeLogin(user, now, newHash))) throw new Failure('auth.wrongCredentials');
    await forgetFailures(key, now);
    const started = await this.sessions.start(user, from, now);
    await emitUserEntry(user.id, 'session.login', 'success', { objectId: started.sessionId });
    return started;
  }

  /**
   * Returns `showCaptcha` of section 7. Treats unknown names the same, and counts each name of an account separately.
   */
  async needsCaptcha(username: string): Promise<boolean> {
    const name = username.trim();
    return this.captchas.neededAfter(
      name === ''
        ? 0
        : await platform(this.database, 'showCaptcha: failures of a name', () =>
            failuresOf(this.typedKey(name), this.since(new Date())),
          ),
    );
  }

  /**
   * Handles grant_type=refresh_token. Every refusal reads the same. While its account is locked, a token is neither
   * accepted nor consumed (docs/attack-cases.md, A4).
   */
  async refresh(refreshToken: string | undefined): Promise<TokenAnswer> {
    const now = new Date();
    const tokens = refreshToken
      ? await this.sessions.refresh(refreshToken, now, (userId) => isLocked(this.keyOf({ id: userId }, ''), now))
      : undefined;
    if (!tokens) throw new Failure('auth.logonFailure');
    const user = await transaction(this.database, companySession(tokens.companyId), () => findUser(tokens.userId));
    if (user?.status !== 'normal' || user.companyStatus !== 'normal') throw new Failure('auth.logonFailure');
    const { visit } = tokens;
    if (!visit) return answer(user, tokens);
    const host = await transaction(this.database, companySession(visit.customerId), () => findUser(visit.allowedById));
    return { ...answer(user, tokens), ...visiting(found(host), visit) };
  }

  /**
   * Checks the name and the MD5 of the password of an account in any state. Counts, locks and answers like a login
   * (AUTH-05, AUTH-06). For callers who are not logged in and do not log in by this call.
   */
  async prove(name: string, password: string): Promise<LoginUser> {
    const now = new Date();
    const { address } = context();
    this.addresses.admit(address, now);
    const { user, key } = await platform(this.database, 'whose name is this', async () => {
      const named = await findByName(name);
      return { user: named, key: this.keyOf(named, name) };
    });
    return this.tries.run(key, async (one) => {
      const { right } = await this.passwords.verify(password, user?.passwordHash);
      if (user && right) return user;
      this.addresses.count(address, now);
      await platform(this.database, 'count a failure', () => countTyped(this.typedKey(name), now, this.limits()));
      return this.refuse(one, user, name, 'auth.wrongCredentials');
    });
  }

  /**
   * Tells whether this is the user's password, in clear text. A wrong one counts and locks like a failed login. For
   * users who are logged in.
   */
  passwordIs(user: LoginUser, password: string): Promise<boolean> {
    const key = this.keyOf(user, '');
    return this.tries.run(key, async (one) => {
      const md5 = createHash('md5').update(password).digest('hex');
      const { right } = await this.passwords.verify(md5, user.passwordHash);
      if (!right) {
        await one.wrong(user);
        return false;
      }
      const now = new Date();
      await platform(this.database, 'forget failures', async () => {
        // Wrong passwords that were sent at the same time may have locked the account.
        if (await isLocked(key, now)) throw new Failure('auth.accountLocked');
        await forgetFailures(key, now);
      });
      one.forgotten();
      return true;
    });
  }

  /** Keys by account when there is one, so that its name and its email count together. */
  private keyOf(user: { id: string } | undefined, name: string): Buffer {
    return createHmac('sha256', this.config.passwordPepper)
      .update(user?.id ?? name.toLowerCase())
      .digest();
  }

  /**
   * Keys by the typed name. The captcha count is visible to everyone; if two names shared it, they would be known to
   * belong to one account.
   */
  private typedKey(name: string): Buffer {
    return typedKey(this.config.passwordPepper, name);
  }

  /** Returns the instant since when failures count. */
  private since(now: Date): Date {
    return new Date(now.getTime() - this.config.lockWindowSeconds * 1000);
  }

  private limits(): { failures: number; windowSeconds: number; lockSeconds: number } {
    return {
      failures: this.config.lockFailures,
      windowSeconds: this.config.lockWindowSeconds,
      lockSeconds: this.config.lockSeconds,
    };
  }

  /**
   * Writes a failure of a known account to its company's operation log; an unknown name has no company. This is one row
   * in a transaction that runs in any case, so timing reveals nothing (AUTH-06).
   */
  private async logFailure(user: LoginUser | undefined, name: string, error: ErrorKey): Promise<void> {
    if (!user) return;
    const note = { objectName: name.slice(0, 128) };
    await this.as(user, () => emitUserEntry(user.id, 'session.login', error, note));
  }

  private as<T>(user: LoginUser, fn: () => T): T {
    return runAs({ ...context(), userId: user.id, username: user.username, companyId: user.companyId }, fn);
  }
}

/** Identifies the password that a second step belongs to without revealing it. */
const proofOf = ({ passwordHash }: LoginUser): string => createHash('sha256').update(passwordHash).digest('base64url');
