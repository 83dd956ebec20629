import { Inject, Injectable } from '@nestjs/common';
import { columns, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { callsOf, reportedLines, withoutCallsOf } from './phone-line.ts';
import { PhoneState } from './phone-state.entity.ts';
import { areOverSql, forgetCalls, lockLongCalls, storeLines, type QuietPhone } from './phone-state.queries.ts';
import { reportState } from './report-state.ts';

/** Companies at a time. */
const atOnce = 2;
const mostTickMs = 10_000;
/** Phones in one transaction. */
const mostPhones = 500;

const company = columns(PhoneState, 's', ['companyId']);

/** Ends calls whose phones have not said for hours that they ended: the request may have been lost. */
@Injectable()
export class PhoneCallLoop extends WorkLoop<RowOf<typeof company>> {
  private readonly callMs: number;

  constructor(database: Database, @Inject(CONFIG) { phoneCallMs }: ProvisioningConfig) {
    const tickMs = Math.min(mostTickMs, phoneCallMs / 2);
    super(database, { reason: 'which companies have calls that last too long, of all', tickMs, atOnce });
    this.callMs = phoneCallMs;
  }

  protected override claim(): Promise<RowOf<typeof company>[]> {
    return currentSql().rows(
      company,
      `select distinct ${company} from phone_state s where ${areOverSql} limit ${atOnce}`,
      [],
    );
  }

  protected override perform({ companyId }: RowOf<typeof company>): Promise<void> {
    return inCompany(this.database, companyId, async () => {
      for (let found = mostPhones; found === mostPhones;) {
        const phones = await lockLongCalls(mostPhones);
        for (const phone of phones) await this.endCallsOf(phone);
        found = phones.length;
      }
      await forgetCalls();
    });
  }

  private async endCallsOf(phone: QuietPhone): Promise<void> {
    const lines = withoutCallsOf(phone.lines, Date.now() - this.callMs);
    await storeLines(phone.id, lines, this.callMs);
    await reportState(phone, { calls: callsOf(lines), lines: reportedLines(lines) });
  }
}
