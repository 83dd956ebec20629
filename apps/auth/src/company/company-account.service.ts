import { Inject, Injectable } from '@nestjs/common';
import type { editChannelAccount, getCompanyAdministrator, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  columns,
  companySession,
  currentSql,
  Database,
  platform,
  transaction,
  type RowOf,
} from '@carillon/persistence';
import { context, runAs, systemContext } from '@carillon/tenancy';
import { CACHE, countingTaken, emitAudit, fail, failAt, found, type Cache } from '@carillon/service';
import { AccountLinkService } from '../account-link/account-link.service.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { defaultZone, User } from '../user/user.entity.ts';
import { orTaken } from '../user/user-taken.ts';
import { CompanyCopy } from './company.entity.ts';

const administrator = columns(User, 'u', ['id', 'username', 'nickname', 'email', 'status', 'activation']);
type Administrator = RowOf<typeof administrator>;
const ownChannel = columns(CompanyCopy, 'c', ['id']);

/** The accounts of companies that the caller created, and of channels directly below the caller's company. */
@Injectable()
export class CompanyAccountService {
  constructor(
    private readonly database: Database,
    private readonly links: AccountLinkService,
    @Inject(CACHE) private readonly cache: Cache,
  ) {}

  /** Edits the account of a channel directly below the own company, and nothing else of it (USER-02). */
  async editAccount({ id, ...body }: RouteInput<typeof editChannelAccount>['body']): Promise<null> {
    await this.checkOwn(id);
    await countingTaken(this.cache, ['user.emailTaken'], () =>
      this.onAccount(id, 'channel.editAccount', async (user) => {
        const sameEmail = (body.email ?? '').toLowerCase() === (user.email ?? '').toLowerCase();
        // A new address could be used to take over the account.
        if (!sameEmail && user.status !== 'inactive') failAt('email', 'channel.activated');
        await orTaken(
          currentSql().query(
            `
              update user_account
              set nickname = $2, email = $3, language = $4, timezone_id = $5, zone_chosen = $6, country_id = $7,
                updated_at = now()
              where id = $1
            `,
            [
              user.id,
              body.nickname,
              body.email,
              body.language,
              body.timezoneId ?? defaultZone,
              body.timezoneId !== null,
              body.countryId,
            ],
          ),
        );
        // Links that were sent to the old address become invalid.
        if (!sameEmail) await this.links.revoke(user.id);
        await accessChanged([user.id]);
        return {
          before: { nickname: user.nickname, email: user.email },
          after: { nickname: body.nickname, email: body.email },
        };
      }),
    );
    return null;
  }

  async resendChannelActivation(companyId: string): Promise<null> {
    await this.checkOwn(companyId);
    await this.resendActivation(companyId);
    return null;
  }

  /** Returns the id of the last mail with an activation link to a channel's account; null when there was none. */
  async channelActivation(companyId: string): Promise<{ mail: string | null }> {
    await this.checkOwn(companyId);
    return runAs({ ...context(), companyId, orgIds: '*' }, () =>
      transaction(
        this.database,
        companySession(companyId),
        async () => {
          const user = await this.firstUser();
          return { mail: user === null ? null : await this.links.lastMail(user.id, 'activation') };
        },
        { readOnly: true },
      ),
    );
  }

  /** Treats every company that is not a direct channel as not found. */
  private async checkOwn(id: string): Promise<void> {
    const { companyId } = context();
    const [channel] = await platform(this.database, 'is this an own channel', () =>
      currentSql().rows(ownChannel, `select ${ownChannel} from company_copy c where c.id = $1 and c.parent_id = $2`, [
        id,
        companyId,
      ]),
    );
    found(channel);
  }

  /** Runs work on a company's account and writes both operation logs; the company's own log does not name the user. */
  private async onAccount(
    companyId: string,
    action: string,
    work: (user: Administrator) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const who = context();
    const note = await runAs({ ...who, companyId, orgIds: '*' }, () =>
      transaction(this.database, companySession(companyId), async () => {
        const user = found(await this.firstUser(), 'user.missing');
        const note = { objectId: user.id, objectName: user.username, detail: await work(user) };
        await runAs(systemContext(companyId), () => emitAudit(action, 'success', note));
        return note;
      }),
    );
    await transaction(this.database, companySession(who.companyId), () => emitAudit(action, 'success', note));
  }

  /** Returns the company's account, or the first user of a company without one. Returns null when there is none. */
  administrator(companyId: string): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    return runAs({ ...context(), companyId, orgIds: '*' }, () =>
      transaction(this.database, companySession(companyId), () => this.firstUser(), { readOnly: true }),
    );
  }

  async resendActivation(companyId: string): Promise<void> {
    await this.onAccount(companyId, 'user.resendActivation', async (user) => {
      if (user.status !== 'inactive') fail('user.notInactive');
      if (user.email === null || user.activation === 'password') fail('user.emailMissing');
      await this.links.send(user.id, 'activation');
      return {};
    });
  }

  private async firstUser(): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    const [user] = await currentSql().rows(
      administrator,
      `
        select ${administrator}
        from user_account u
        where not exists (select from company_copy c where c.id = u.company_id and c.account_id <> u.id)
        order by u.created_at, u.id
        limit 1
      `,
    );
    return user ?? null;
  }
}
