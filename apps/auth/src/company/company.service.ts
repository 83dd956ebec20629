import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  authCompany,
  type addCompany,
  type getCompanyAdministrator,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { columns, companySession, currentSql, Database, platform, transaction, uuidv7 } from '@carillon/persistence';
import { context, runAs } from '@carillon/tenancy';
import { CONFIG, emitAudit, fail, failAt, found, unlessTaken } from '@carillon/service';
import { AccountLinkService } from '../account-link/account-link.service.ts';
import type { AuthConfig } from '../config.ts';
import { refuseNames } from '../login/own-names.ts';
import { hashPassword } from '../login/password.service.ts';
import { seedRoles } from '../role/built-in-role.service.ts';
import { accessChanged } from '../user/access.ts';
import { defaultZone, User } from '../user/user.entity.ts';
import { orTaken } from '../user/user.service.ts';

/** Companies whose first administrator is a channel user (spec, section 6); all but those that only use the product. */
const plainTypes = ['enterprise', 'vip'];

const administrator = columns(User, 'u', ['id', 'username', 'nickname', 'email', 'status', 'activation']);

/**
 * The super administrator makes a company with its first administrator; org makes the company itself when it hears of
 * it.
 */
@Injectable()
export class CompanyService {
  constructor(
    private readonly database: Database,
    private readonly links: AccountLinkService,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  async add(body: RouteInput<typeof addCompany>['body']): Promise<{ id: string; orgId: string; userId: string }> {
    if (body.activation === 'email' && !body.email) failAt('email', 'user.emailMissing');
    if (body.activation === 'password' && body.password === undefined) failAt('password', 'user.passwordMissing');
    if (body.password !== undefined) refuseNames('password', body.password, [body.username, body.email, body.name]);
    const hash =
      body.activation === 'email'
        ? ''
        : await hashPassword(createHash('md5').update(body.password!).digest('hex'), this.config.passwordPepper);
    const [id, orgId, userId] = [uuidv7(), uuidv7(), uuidv7()];
    const orderer = context();
    if (
      await platform(
        this.database,
        'is there a company of this name',
        async () =>
          (await currentSql().query('select 1 as one from company_copy where lower(name) = lower($1)', [body.name]))
            .rowCount > 0,
      )
    )
      failAt('name', 'org.companyNameTaken');
    await runAs({ ...orderer, companyId: id, orgId, orgIds: [orgId] }, () =>
      transaction(this.database, companySession(id), async () => {
        await unlessTaken(
          currentSql().query(
            `insert into company_copy (id, company_id, name, status, version) values ($1, $1, $2, 'normal', 0)`,
            [id, body.name],
          ),
          'company_copy_name',
          'name',
          'org.companyNameTaken',
        );
        await currentSql().query(
          'insert into organization_copy (id, company_id, name, version, era) values ($1, $2, $3, 0, 1)',
          [orgId, id, body.organizationName],
        );
        const { administrator } = await seedRoles(id, false);
        await orTaken(
          currentSql().query(
            `
              insert into user_account (
                id, company_id, username, nickname, email, account_type, status, activation, password_hash,
                all_orgs, org_ids, default_org_id, language, timezone_id, zone_chosen, country_id, created_by, editor,
                tokens_valid_after, version, created_at, updated_at
              )
              values (
                $1, $2, $3, $4, $5, $6, 'inactive', $7, $8, true, $9, $10, $11, $12, $13, $14, $15, $15, to_timestamp(0),
                0, now(), now()
              )
            `,
            [
              userId,
              id,
              body.username,
              body.nickname,
              body.email,
              plainTypes.includes(body.type) ? 'ordinary' : 'channel',
              body.activation,
              hash,
              [orgId],
              orgId,
              body.language,
              body.timezoneId ?? defaultZone,
              body.timezoneId !== null,
              body.countryId,
              orderer.username,
            ],
          ),
        );
        await currentSql().query('insert into user_role (id, company_id, user_id, role_id) values ($1, $2, $3, $4)', [
          uuidv7(),
          id,
          userId,
          administrator,
        ]);
        if (body.activation === 'email') await this.links.send(userId, 'activation');
        await accessChanged([userId]);
        await emit(
          authCompany,
          'made',
          id,
          {
            companyId: id,
            orgId,
            name: body.name,
            organizationName: body.organizationName,
            type: body.type,
            remarks: body.remarks,
            parentId: orderer.companyId,
          },
          { companyId: id },
        );
        await emitAudit('company.add', 'success', {
          objectId: id,
          objectName: body.name,
          detail: { type: body.type, administrator: body.username },
        });
      }),
    );
    await transaction(this.database, companySession(orderer.companyId), () =>
      emitAudit('company.add', 'success', {
        objectId: id,
        objectName: body.name,
        detail: { type: body.type, administrator: body.username },
      }),
    );
    return { id, orgId, userId };
  }

  /** The first user: the one that the company was made with, as long as they are there. */
  administrator(companyId: string): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    return runAs({ ...context(), companyId, orgIds: '*' }, () =>
      transaction(this.database, companySession(companyId), () => this.firstUser(), { readOnly: true }),
    );
  }

  async resendActivation(companyId: string): Promise<void> {
    const who = context();
    const note = await runAs({ ...who, companyId, orgIds: '*' }, () =>
      transaction(this.database, companySession(companyId), async () => {
        const user = found(await this.firstUser(), 'user.missing');
        if (user.status !== 'inactive') fail('user.notInactive');
        if (user.email === null || user.activation === 'password') fail('user.emailMissing');
        await this.links.send(user.id, 'activation');
        const told = { objectId: user.id, objectName: user.username };
        await emitAudit('user.resendActivation', 'success', told);
        return told;
      }),
    );
    if (who.companyId === companyId) return;
    await transaction(this.database, companySession(who.companyId), () =>
      emitAudit('user.resendActivation', 'success', note),
    );
  }

  private async firstUser(): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    const [user] = await currentSql().rows(
      administrator,
      `select ${administrator} from user_account u order by u.created_at, u.id limit 1`,
    );
    return user ?? null;
  }
}
