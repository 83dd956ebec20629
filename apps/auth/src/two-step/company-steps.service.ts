import { Inject, Injectable } from '@nestjs/common';
import { twoStepSeconds } from '@carillon/contracts';
import { context } from '@carillon/tenancy';
import { CACHE, CONFIG, Failure, found, requestMail, type Cache } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { findUser } from '../login/login.queries.ts';
import { hashCode, newCode } from './codes.ts';
import { callersLanguage, Tickets } from './ticket.service.ts';
import { secondStepsOf, setTwoStep, shutOutBy } from './two-step.queries.ts';
import { mailAbout } from '../user/user-entry.ts';

const mostTries = 5;
const mostNames = 20;

/** Opens and closes two-step login for a whole company, with a code by mail (AUTH-14). */
@Injectable()
export class CompanySteps {
  constructor(
    private readonly tickets: Tickets,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  async get(): Promise<{ open: boolean; shutOut: number; names: string[]; email: string | null }> {
    const { userId } = context();
    const { total, names } = await shutOutBy(mostNames);
    return {
      open: (await secondStepsOf(userId!)).company,
      shutOut: total,
      names,
      email: (await findUser(userId!))?.email ?? null,
    };
  }

  async mailCode(): Promise<void> {
    const user = found(await findUser(context().userId!));
    if (!user.email) throw new Failure('auth.emailMissing');
    await this.tickets.admitMail(user.id);
    const open = (await secondStepsOf(user.id)).company;
    const code = newCode();
    await this.cache.set(this.at(), hashCode(this.config.passwordPepper, this.at(), code), twoStepSeconds * 1000);
    await this.cache.delete(`${this.at()}:tries`);
    await requestMail(this.config.mailKey, {
      template: 'code',
      to: user.email,
      language: callersLanguage(),
      about: await mailAbout(user.id),
      validSeconds: twoStepSeconds,
      data: {
        name: user.nickname || user.username,
        code,
        minutes: twoStepSeconds / 60,
        purpose: open ? 'close' : 'open',
      },
    });
  }

  async set(open: boolean, code: string): Promise<void> {
    if ((await this.cache.increment(`${this.at()}:tries`, twoStepSeconds * 1000)) > mostTries)
      await this.cache.delete(this.at());
    const wanted = await this.cache.get(this.at());
    if (wanted === null) throw new Failure('auth.codeExpired');
    if (wanted !== hashCode(this.config.passwordPepper, this.at(), code)) throw new Failure('auth.codeWrong');
    if ((await this.cache.take(this.at())) === null) throw new Failure('auth.codeExpired');
    await setTwoStep(context().companyId, open, new Date());
  }

  private at(): string {
    return `two-step-company:${context().companyId}:${context().userId}`;
  }
}
