import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { twoStepSeconds, type Language, type TwoStepMethod } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { CACHE, CONFIG, Failure, requestMail, unseal, type Cache } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { hashCode, hashRecoveryCode, keyHash, newCode, newKey, recoveryPattern, stepOf } from './codes.ts';
import { Passkeys } from './passkey.service.ts';
import { passkeysOf, secondStepsOf, takeRecoveryCode, takeStep, totpSecret, usePasskey } from './two-step.queries.ts';
import { mailAbout } from '../user/user-entry.ts';

/**
 * A login with a correct password that waits for its second step. `proof` invalidates it when that password changes.
 */
export interface Ticket {
  userId: string;
  companyId: string;
  username: string;
  email: string | null;
  methods: TwoStepMethod[];
  from: { browser: string | null; next?: string | undefined };
  proof: string;
}

export const ticketPrefix = 'two-step.';
const lifeMs = twoStepSeconds * 1000;
const mailsPerHour = 6;
const mostTries = 5;

/** Keeps logins that wait for their second step in the cache; a lost one has to start again (AUTH-14, AUTH-18). */
@Injectable()
export class Tickets {
  constructor(
    private readonly database: Database,
    private readonly passkeys: Passkeys,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  /**
   * Returns the second steps that a user can use, none when no second step is needed. Runs inside a transaction of the
   * user's company.
   */
  async methodsOf(user: { id: string; email: string | null }): Promise<TwoStepMethod[] | 'impossible'> {
    const has = await secondStepsOf(user.id);
    const own: TwoStepMethod[] = [
      ...(has.passkeys > 0 ? ['passkey' as const] : []),
      ...(has.totp ? ['totp' as const] : []),
    ];
    // A user with a stronger second step must not get codes by mail, which is weaker.
    if (own.length > 0 || !has.company) return own;
    return user.email ? ['email'] : 'impossible';
  }

  async open(ticket: Ticket): Promise<string> {
    const key = `${ticketPrefix}${newKey()}`;
    await this.cache.set(this.at(key), JSON.stringify(ticket), lifeMs);
    return key;
  }

  async read(key: string): Promise<Ticket> {
    const kept = key.startsWith(ticketPrefix) ? await this.cache.get(this.at(key)) : null;
    if (kept === null) throw new Failure('auth.codeExpired');
    return JSON.parse(kept) as Ticket;
  }

  /** Mails a new code and invalidates the previous one. Returns the mail's id. */
  async mail(key: string, language: Language): Promise<string> {
    const ticket = await this.read(key);
    if (!ticket.methods.includes('email') || !ticket.email) throw new Failure('auth.codeExpired');
    const code = newCode();
    await this.admitMail(ticket.userId);
    await this.cache.set(`${this.at(key)}:mail`, hashCode(this.config.passwordPepper, key, code), lifeMs);
    return transaction(this.database, companySession(ticket.companyId), async () =>
      requestMail(this.config.mailKey, {
        template: 'code',
        to: ticket.email!,
        language,
        companyId: ticket.companyId,
        about: await mailAbout(ticket.userId),
        validSeconds: twoStepSeconds,
        data: { name: ticket.username, code, minutes: twoStepSeconds / 60, purpose: 'login' },
      }),
    );
  }

  /** Throws 429 when the user was sent too many codes this hour. */
  async admitMail(userId: string): Promise<void> {
    if ((await this.cache.increment(`two-step-mails:${userId}`, 3_600_000)) > mailsPerHour)
      throw new Failure('common.tooMany', { seconds: 3_600 });
  }

  async askPasskey(key: string, request: FastifyRequest): Promise<Record<string, unknown>> {
    const ticket = await this.read(key);
    const have = await this.inCompany(ticket, () => passkeysOf(ticket.userId));
    if (have.length === 0) throw new Failure('auth.codeExpired');
    const { challenge, options } = await this.passkeys.ask(this.passkeys.siteOf(request), have);
    await this.cache.set(`${this.at(key)}:challenge`, challenge, lifeMs);
    return options;
  }

  /** Returns a single-use code that completes the login for a valid passkey answer; undefined for an invalid one. */
  async answerPasskey(
    key: string,
    response: Record<string, unknown>,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const ticket = await this.read(key);
    const challenge = await this.cache.take(`${this.at(key)}:challenge`);
    if (challenge === null) throw new Failure('auth.codeExpired');
    const have = await this.inCompany(ticket, () => passkeysOf(ticket.userId));
    const answered = await this.passkeys.answered(this.passkeys.siteOf(request), challenge, response, have);
    if (!answered || !(await this.inCompany(ticket, () => usePasskey(answered.id, answered.counter, new Date()))))
      return undefined;
    const code = newKey();
    await this.cache.set(`${this.at(key)}:passkey`, hashCode(this.config.passwordPepper, key, code), lifeMs);
    return code;
  }

  /**
   * Returns whether the code is right. Each attempt is counted before it is checked; after the fifth the ticket is
   * invalid.
   */
  async verify(key: string, ticket: Ticket, code: string): Promise<boolean> {
    if ((await this.cache.increment(`${this.at(key)}:tries`, lifeMs)) > mostTries) {
      await this.cache.delete(this.at(key));
      throw new Failure('auth.codeExpired');
    }
    const right = await this.fits(key, ticket, code);
    // Only one of two parallel calls with the right code succeeds.
    return right && (await this.cache.take(this.at(key))) !== null;
  }

  private async fits(key: string, ticket: Ticket, code: string): Promise<boolean> {
    const hash = hashCode(this.config.passwordPepper, key, code);
    if (ticket.methods.includes('email') && (await this.cache.get(`${this.at(key)}:mail`)) === hash) return true;
    if (ticket.methods.includes('passkey') && (await this.cache.get(`${this.at(key)}:passkey`)) === hash) return true;
    return this.inCompany(ticket, async () => {
      if (ticket.methods.includes('totp') && /^\d{6}$/.test(code))
        return this.totpFits(ticket.userId, code, Date.now());
      if (!ticket.methods.includes('email') && recoveryPattern.test(code))
        return takeRecoveryCode(
          ticket.userId,
          hashRecoveryCode(this.config.passwordPepper, ticket.userId, code),
          new Date(),
        );
      return false;
    });
  }

  /** Runs inside a transaction of the user's company. */
  async totpFits(userId: string, code: string, now: number): Promise<boolean> {
    const sealed = await totpSecret(userId);
    const secret = sealed && unseal<string>(this.config.passwordPepper, `totp ${userId}`, sealed);
    const step = secret ? stepOf(secret, code, now) : undefined;
    return step !== undefined && takeStep(userId, step);
  }

  private inCompany<T>(ticket: Ticket, fn: () => Promise<T>): Promise<T> {
    return transaction(this.database, companySession(ticket.companyId), fn);
  }

  private at(key: string): string {
    return `two-step:${keyHash(key)}`;
  }
}

/** Returns the caller's language, for the mail that they get. */
export const callersLanguage = (): Language => context().language;
