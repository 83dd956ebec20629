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
    const mailboxes = [...new Set(addresses.map((address) => `${company}:${mailboxOf(address)}`))];
    const room = async (key: string, count: number, limit: number): Promise<boolean> =>
      Number((await this.cache.get(key)) ?? 0) + count <= limit;
    const has = await Promise.all([
      room(company, addresses.length, most.company),
      ...mailboxes.map((mailbox) => room(mailbox, 1, most.address)),
    ]);
    if (has.includes(false)) return false;
    const counted = addresses.map((address) => `${company}:${mailboxOf(address)}`);
    for (const key of [...addresses.map(() => company), ...counted]) await this.cache.increment(key, hourMs);
    return true;
  }
}
