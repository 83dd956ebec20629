import { Injectable } from '@nestjs/common';
import { Database, inCompany } from '@carillon/persistence';
import { WorkLoop } from '@carillon/service';
import { companiesToEnd, endOverdue, endStopped } from './phone-file.queries.ts';

/** Companies at a time. */
const atOnce = 2;
const tickMs = 2_000;

/** Ends commands whose phones have not loaded their files in time, and those of ended tasks. */
@Injectable()
export class PhoneFileLoop extends WorkLoop<{ companyId: string }> {
  constructor(database: Database) {
    super(database, {
      reason: 'which companies have phones that may load their files no more, of all',
      tickMs,
      atOnce,
    });
  }

  protected override claim(): Promise<{ companyId: string }[]> {
    return companiesToEnd(atOnce);
  }

  /** Each part has a transaction of its own. */
  protected override async perform({ companyId }: { companyId: string }): Promise<void> {
    for (const endPart of [endStopped, endOverdue])
      for (let hasMore = true; hasMore && !this.closed;) hasMore = await inCompany(this.database, companyId, endPart);
  }
}
