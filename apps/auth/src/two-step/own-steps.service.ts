import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { CACHE, CONFIG, Failure, found, seal, unseal, type Cache } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { findUser, type LoginUser } from '../login/login.queries.ts';
import { LoginService } from '../login/login.service.ts';
import { emitUserEntry } from '../user/user-entry.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOf, totpUri } from './codes.ts';
import { Passkeys } from './passkey.service.ts';
import {
  deletePasskey,
  deleteTotp,
  passkeysOf,
  replaceRecoveryCodes,
  secondStepsOf,
  storePasskey,
  storeTotp,
  takeStep,
  type PasskeyRow,
  type SecondSteps,
} from './two-step.queries.ts';

const waitMs = 600_000;

/** Manages a user's own second steps (AUTH-18). */
@Injectable()
export class OwnSteps {
  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    private readonly passkeys: Passkeys,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  async list(): Promise<Omit<SecondSteps, 'passkeys'> & { passkeys: PasskeyRow[] }> {
    const { userId } = context();
    return { ...(await secondStepsOf(userId!)), passkeys: await passkeysOf(userId!) };
  }

  async beginTotp(password: string): Promise<{ secret: string; uri: string; image: string }> {
    const user = await this.confirmed(password);
    const secret = newTotpSecret();
    const uri = totpUri(secret, user.username, 'Carillon');
    await this.cache.set(`totp-new:${user.id}`, seal(this.config.passwordPepper, `totp ${user.id}`, secret), waitMs);
    return {
      secret,
      uri,
      image: `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`,
    };
  }

  async confirmTotp(code: string): Promise<string[]> {
    const user = await this.caller();
    const sealed = await this.cache.get(`totp-new:${user.id}`);
    const secret = sealed === null ? undefined : unseal<string>(this.config.passwordPepper, `totp ${user.id}`, sealed);
    if (secret === undefined || (await this.cache.increment(`totp-tries:${user.id}`, waitMs)) > 10)
      throw new Failure('auth.codeExpired');
    const step = stepOf(secret, code, Date.now());
    if (step === undefined) throw new Failure('auth.codeWrong');
    const codes = newRecoveryCodes();
    await this.inCompany(user, async () => {
      await storeTotp(user, sealed!, new Date());
      // The code that confirmed the app counts as used.
      await takeStep(user.id, step);
      await this.storeCodes(user, codes);
      await emitUserEntry(user.id, 'secondStep.addApp', 'success');
    });
    await this.cache.delete(`totp-new:${user.id}`);
    return codes;
  }

  async removeTotp(password: string): Promise<void> {
    const user = await this.confirmed(password);
    await this.inCompany(user, async () => {
      await deleteTotp(user.id);
      await this.forgetCodesOfNothing(user);
      await emitUserEntry(user.id, 'secondStep.removeApp', 'success');
    });
  }

  async renewCodes(password: string): Promise<string[]> {
    const user = await this.confirmed(password);
    const codes = newRecoveryCodes();
    await this.inCompany(user, async () => {
      await this.storeCodes(user, codes);
      await emitUserEntry(user.id, 'secondStep.renewCodes', 'success');
    });
    return codes;
  }

  async beginPasskey(password: string, request: FastifyRequest): Promise<Record<string, unknown>> {
    const user = await this.confirmed(password);
    const { challenge, options } = await this.passkeys.begin(
      this.passkeys.siteOf(request),
      user,
      await this.inCompany(user, () => passkeysOf(user.id)),
    );
    await this.cache.set(`passkey-new:${user.id}`, challenge, waitMs);
    return options;
  }

  /** Adds a passkey. Returns recovery codes if this is the first second step, otherwise none. */
  async addPasskey(name: string, response: Record<string, unknown>, request: FastifyRequest): Promise<string[]> {
    const user = await this.caller();
    const challenge = await this.cache.take(`passkey-new:${user.id}`);
    if (challenge === null) throw new Failure('auth.passkeyWrong');
    const key = await this.passkeys.added(this.passkeys.siteOf(request), challenge, response);
    return this.inCompany(user, async () => {
      await storePasskey(user, { ...key, name }, new Date());
      const codes = (await secondStepsOf(user.id)).recoveryCodes > 0 ? [] : newRecoveryCodes();
      if (codes.length > 0) await this.storeCodes(user, codes);
      await emitUserEntry(user.id, 'secondStep.addPasskey', 'success', { objectName: name });
      return codes;
    });
  }

  async removePasskey(id: string, password: string): Promise<void> {
    const user = await this.confirmed(password);
    await this.inCompany(user, async () => {
      if (!(await deletePasskey(user.id, id))) throw new Failure('common.notFound');
      await this.forgetCodesOfNothing(user);
      await emitUserEntry(user.id, 'secondStep.removePasskey', 'success');
    });
  }

  private async forgetCodesOfNothing(user: LoginUser): Promise<void> {
    const left = await secondStepsOf(user.id);
    if (!left.totp && left.passkeys === 0) await replaceRecoveryCodes(user, []);
  }

  private storeCodes(user: LoginUser, codes: readonly string[]): Promise<void> {
    return replaceRecoveryCodes(
      user,
      codes.map((code) => hashRecoveryCode(this.config.passwordPepper, user.id, code)),
    );
  }

  private async caller(): Promise<LoginUser> {
    const { userId, companyId } = context();
    return found(await transaction(this.database, companySession(companyId), () => findUser(userId!)));
  }

  /** Returns the caller after checking their password: an open session alone must not change a second step. */
  private async confirmed(password: string): Promise<LoginUser> {
    const user = await this.caller();
    if (!(await this.logins.passwordIs(user, password))) throw new Failure('auth.oldPasswordWrong');
    return user;
  }

  private inCompany<T>(user: LoginUser, fn: () => Promise<T>): Promise<T> {
    return transaction(this.database, companySession(user.companyId), fn);
  }
}
