import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CACHE, type Cache } from '@carillon/service';

const hourMs = 3_600_000;
/** Mails of notices per hour: to one address, and from one company. */
const most = { address: 60, company: 1_000 };

/** Addresses of one mailbox count as one: `name+tag@host` is delivered to `name@host`. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name] = address.slice(0, at).split('+');
  const mailbox = `${name}${address.slice(at)}`.toLowerCase();
  return createHash('sha256').update(mailbox).digest('base64url').slice(0, 22);
}

/**
 * Limits the mails of email notices, whose addresses nobody has confirmed. A notice over the limit is sent later, in
 * one mail with everything that happened meanwhile.
 */
@Injectable()
export class NoticeBudget {
  constructor(@Inject(CACHE) private readonly cache: Cache) {}

  /** Counts one mail to each address, unless one of them or the company has had too many. Returns whether it counted. */
  async take(companyId: string, addresses: readonly string[]): Promise<boolean> {
    const company = `notice-budget:${companyId}`;
    const mailboxes = addresses.map((address) => `${company}:${mailboxOf(address)}`);
    const sent = async (key: string): Promise<number> => Number((await this.cache.get(key)) ?? 0);
    const [ofCompany, ...ofMailboxes] = await Promise.all([company, ...mailboxes].map(sent));
    if (ofCompany! + addresses.length > most.company || ofMailboxes.some((n) => n >= most.address)) return false;
    const counted = [...mailboxes, ...mailboxes.map(() => company)];
    await Promise.all(counted.map((key) => this.cache.increment(key, hourMs)));
    return true;
  }
}
