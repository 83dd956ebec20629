import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  authCompany,
  channelFlags,
  type addChannel,
  type addCompany,
  type ChannelGrants,
  type RouteInput,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import {
  columns,
  companySession,
  computed,
  currentEntities,
  currentSql,
  Database,
  platform,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import { context, runAs, systemContext } from '@carillon/tenancy';
import {
  CACHE,
  CONFIG,
  countingTaken,
  emitAudit,
  fail,
  failAt,
  Failure,
  found,
  unlessTaken,
  type Cache,
} from '@carillon/service';
import { AccountLinkService } from '../account-link/account-link.service.ts';
import type { AuthConfig } from '../config.ts';
import { refuseNames } from '../login/own-names.ts';
import { hashPassword } from '../login/password.service.ts';
import { seedRoles } from '../role/built-in-role.service.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { defaultZone } from '../user/user.entity.ts';
import { insertUser } from '../user/new-user.ts';
import { ChannelAddressCopy } from './channel-address-copy.entity.ts';
import { CompanyCopy } from './company.entity.ts';

/**
 * Company types that only use the product. The first administrator of every other type is a channel user (CHN-01).
 */
const plainTypes = ['enterprise', 'vip'];

const above = columns(CompanyCopy, 'c', [
  'createSubLimit',
  'fcsLimit',
  'fcsUsed',
  'licenseGranting',
  'fcsEnabled',
  'localSync',
]);
const below = columns(CompanyCopy, 'c', [], {
  subs: computed<number>('coalesce(sum(1 + c.create_sub_limit), 0)::int'),
  fcs: computed<number>('coalesce(sum(c.fcs_limit), 0)::int'),
});
interface Made {
  id: string;
  orgId: string;
  userId: string;
}
const nothing: ChannelGrants = {
  addressId: null,
  createSubLimit: 0,
  fcsLimit: 0,
  licenseGranting: false,
  fcsEnabled: false,
  localSync: false,
  fcsUrl: '',
  fcsDomain: '',
};
const takenChannel = [
  'channel.companyRegistered',
  'channel.duplicateAccount',
  'channel.duplicateLogin',
  'user.emailTaken',
] as const;

/**
 * Creates companies below the caller's, each with its first administrator (its channel account). Org creates its own
 * row when it receives the event.
 */
@Injectable()
export class CompanyService {
  constructor(
    private readonly database: Database,
    private readonly links: AccountLinkService,
    @Inject(CONFIG) private readonly config: AuthConfig,
    @Inject(CACHE) private readonly cache: Cache,
  ) {}

  /** Adds a company for the super administrator, without anything to pass on: channels grant that. */
  add(body: RouteInput<typeof addCompany>['body']): Promise<Made> {
    return this.make(body, nothing);
  }

  /**
   * Adds a channel below the own company (CHN-01). Names are unique in the whole installation, so a refusal reveals
   * that a name exists; such refusals are counted and limited.
   */
  addChannel(body: RouteInput<typeof addChannel>['body']): Promise<Made> {
    const { addressId, createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync, fcsUrl, fcsDomain, ...plain } =
      body;
    const grants = { addressId, createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync, fcsUrl, fcsDomain };
    return countingTaken(this.cache, takenChannel, async () => {
      await this.checkAddress(addressId);
      try {
        return await this.make(plain, grants);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.key === 'org.companyNameTaken') failAt('name', 'channel.companyRegistered');
        if (error.key === 'user.nameTaken')
          failAt(
            'username',
            (await this.isOwnChannel(body.username)) ? 'channel.duplicateAccount' : 'channel.duplicateLogin',
          );
        throw error;
      }
    });
  }

  /**
   * A company that maintains addresses must place each channel at one of them (CHN-05).
   */
  private async checkAddress(addressId: string | null): Promise<void> {
    const known = await transaction(
      this.database,
      companySession(context().companyId),
      () => currentEntities().count(ChannelAddressCopy, addressId === null ? {} : { id: addressId }),
      { readOnly: true },
    );
    if (addressId === null && known > 0) failAt('addressId', 'channel.superiorAddressEmpty');
    if (addressId !== null && known === 0) fail('common.notFound');
  }

  /** Tells whether the own company already has a channel with this account. */
  private isOwnChannel(username: string): Promise<boolean> {
    const { companyId } = context();
    return platform(this.database, 'is this the account of an own channel', async () => {
      const { rowCount } = await currentSql().query(
        `
          select 1 as one
          from user_account u
          join company_copy c on c.account_id = u.id
          where lower(u.username) = lower($1) and c.parent_id = $2
        `,
        [username, companyId],
      );
      return rowCount > 0;
    });
  }

  private async make(body: RouteInput<typeof addCompany>['body'], grants: ChannelGrants): Promise<Made> {
    if (body.activation === 'email' && !body.email) failAt('email', 'user.emailMissing');
    if (body.activation === 'password' && body.password === undefined) failAt('password', 'user.passwordMissing');
    if (body.password !== undefined) refuseNames('password', body.password, [body.username, body.email, body.name]);
    const hash =
      body.activation === 'email'
        ? ''
        : await hashPassword(createHash('md5').update(body.password!).digest('hex'), this.config.passwordPepper);
    const [id, orgId, userId] = [uuidv7(), uuidv7(), uuidv7()];
    const orderer = context();
    const note = { objectId: id, objectName: body.name, detail: { type: body.type, administrator: body.username } };
    await this.refuseTaken(body.name);
    await runAs({ ...orderer, companyId: id, orgId, orgIds: [orgId] }, () =>
      transaction(this.database, companySession(id), async () => {
        await platform(this.database, 'what the one above may give', () => this.checkRoom(orderer.companyId, grants));
        await insertCompany({ id, orgId, userId, parentId: orderer.companyId }, body, grants);
        await insertAdministrator({ id, orgId, userId }, body, hash);
        if (body.activation === 'email') await this.links.send(userId, 'activation');
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
            channel: grants,
          },
          { companyId: id },
        );
        // After the company event, so that consumers know the company before they get its account.
        await accessChanged([userId]);
        // The company's own log does not name the user of the parent company.
        await runAs(systemContext(id), () => emitAudit('company.add', 'success', note));
      }),
    );
    await transaction(this.database, companySession(orderer.companyId), () =>
      emitAudit(grants === nothing ? 'company.add' : 'channel.add', 'success', note),
    );
    return { id, orgId, userId };
  }

  private async refuseTaken(name: string): Promise<void> {
    const isTaken = await platform(this.database, 'is there a company of this name', async () => {
      const sql = 'select 1 as one from company_copy where lower(name) = lower($1)';
      return (await currentSql().query(sql, [name])).rowCount > 0;
    });
    if (isTaken) failAt('name', 'org.companyNameTaken');
  }

  /**
   * Checks the parent's limits. Locks its row in auth's copy, so that of two concurrent calls the second counts the
   * first. A channel counts as one plus its own sub-channel limit.
   */
  private async checkRoom(parentId: string, grants: ChannelGrants): Promise<void> {
    const [parent] = await currentSql().rows(above, `select ${above} from company_copy c where c.id = $1 for update`, [
      parentId,
    ]);
    if (grants === nothing) return;
    const own = found(parent);
    for (const flag of channelFlags) if (grants[flag] && !own[flag]) failAt(flag, 'channel.flagNotHeld');
    const [given] = await currentSql().rows(below, `select ${below} from company_copy c where c.parent_id = $1`, [
      parentId,
    ]);
    const left = own.createSubLimit - given!.subs;
    if (left < 1 + grants.createSubLimit) failAt('createSubLimit', 'channel.subLimit', { left: Math.max(0, left - 1) });
    const fcsLeft = own.fcsLimit - given!.fcs - own.fcsUsed;
    if (grants.fcsLimit > 0 && fcsLeft < grants.fcsLimit)
      failAt('fcsLimit', 'channel.fcsLimit', { left: Math.max(0, fcsLeft) });
  }
}

interface NewCompany {
  id: string;
  orgId: string;
  /** Its first administrator. */
  userId: string;
}

/** Inserts auth's copy of a new company and of its first organization. */
async function insertCompany(
  { id, orgId, userId, parentId }: NewCompany & { parentId: string },
  { name, type, organizationName }: RouteInput<typeof addCompany>['body'],
  { createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync }: ChannelGrants,
): Promise<void> {
  await unlessTaken(
    currentSql().query(
      `
        insert into company_copy (
          id, company_id, name, type, status, parent_id, account_id, create_sub_limit, fcs_limit,
          license_granting, fcs_enabled, local_sync, version
        )
        values ($1, $1, $2, $3, 'inactive', $4, $5, $6, $7, $8, $9, $10, 0)
      `,
      [id, name, type, parentId, userId, createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync],
    ),
    'company_copy_name',
    'name',
    'org.companyNameTaken',
  );
  await currentSql().query(
    'insert into organization_copy (id, company_id, name, version, era) values ($1, $2, $3, 0, 1)',
    [orgId, id, organizationName],
  );
}

/** Inserts the first administrator of a new company, with its built-in roles. */
async function insertAdministrator(
  { id, orgId, userId }: NewCompany,
  body: RouteInput<typeof addCompany>['body'],
  passwordHash: string,
): Promise<void> {
  const { administrator } = await seedRoles(id, false);
  await insertUser({
    id: userId,
    companyId: id,
    username: body.username,
    nickname: body.nickname,
    email: body.email,
    accountType: plainTypes.includes(body.type) ? 'ordinary' : 'channel',
    status: 'inactive',
    activation: body.activation,
    passwordHash,
    allOrgs: true,
    orgIds: [orgId],
    defaultOrgId: orgId,
    language: body.language,
    timezoneId: body.timezoneId ?? defaultZone,
    zoneChosen: body.timezoneId !== null,
    countryId: body.countryId,
  });
  await currentSql().query('insert into user_role (id, company_id, user_id, role_id) values ($1, $2, $3, $4)', [
    uuidv7(),
    id,
    userId,
    administrator,
  ]);
}
