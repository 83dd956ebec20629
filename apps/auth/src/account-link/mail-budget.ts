import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CACHE, fail, type Cache } from '@carillon/service';

const hourMs = 3_600_000;
/** Mails with a link per hour: from one company to one address, to one address, from one company. */
const most = { pair: 10, address: 30, company: 1_000 };

/**
 * Limits mails with links. A user who may add users can have mails sent to any address, and adding the same one again
 * creates a new account each time, so the address is counted, not the account.
 */
@Injectable()
export class MailBudget {
  constructor(@Inject(CACHE) private readonly cache: Cache) {}

  /** Counts a mail before it is requested. Fails with 429 when there were too many. */
  async take(companyId: string, to: string): Promise<void> {
    const address = createHash('sha256').update(to.toLowerCase()).digest('base64url').slice(0, 22);
    const counts = await Promise.all([
      this.cache.increment(`mail-budget:${companyId}:${address}`, hourMs),
      this.cache.increment(`mail-budget:${address}`, hourMs),
      this.cache.increment(`mail-budget:${companyId}`, hourMs),
    ]);
    const allowed = [most.pair, most.address, most.company];
    if (counts.some((count, i) => count > allowed[i]!)) fail('common.tooMany', { seconds: hourMs / 1000 });
  }
}
