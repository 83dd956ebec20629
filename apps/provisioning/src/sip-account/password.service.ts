import { Inject, Injectable } from '@nestjs/common';
import type { revealSipAccount, RouteReturn } from '@carillon/contracts';
import { currentEntities } from '@carillon/persistence';
import { auditNote, CACHE, CompanySecrets, CONFIG, fail, found, type Cache } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { ProvisioningConfig } from '../config.ts';
import { SipAccount } from './sip-account.entity.ts';
import { passwords, placeOf } from './sip-account.service.ts';

const hourMs = 3_600_000;

/** Shows passwords of SIP accounts to users with the permission (ACC-02). */
@Injectable()
export class PasswordService {
  constructor(
    private readonly secrets: CompanySecrets,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: ProvisioningConfig,
  ) {}

  /**
   * Returns the passwords of one account; the operation log gets the account and the names of its passwords. Throws 429
   * when the user asked for too many in this hour.
   */
  async reveal(id: string): Promise<RouteReturn<typeof revealSipAccount>> {
    const { companyId, userId } = context();
    const account = found(await currentEntities().findOne(SipAccount, id));
    const shown = passwords.filter((password) => account[password] !== null);
    auditNote({ objectId: id, objectName: account.name, orgIds: [account.orgId], detail: { passwords: shown } });
    const asked = await this.cache.increment(`reveal:${companyId}:${userId}`, hourMs);
    if (asked > this.config.revealsPerHour) fail('common.tooMany', { seconds: hourMs / 1000 });
    const open = async (password: (typeof passwords)[number]) => {
      const sealed = account[password];
      return sealed === null ? null : this.secrets.open(placeOf(password, id), sealed);
    };
    return {
      authPassword: await open('authPassword'),
      proxyPassword: await open('proxyPassword'),
      voicemailPassword: await open('voicemailPassword'),
    };
  }
}
