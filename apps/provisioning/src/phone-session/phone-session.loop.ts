import { Inject, Injectable } from '@nestjs/common';
import { columns, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { PhoneSession } from './phone-session.entity.ts';
import { endSilent, isSilentSql } from './phone-session.queries.ts';

/** Companies at a time. */
const atOnce = 2;
const mostTickMs = 10_000;

const company = columns(PhoneSession, 's', ['companyId']);

/** Ends the sessions of phones that are silent for too long. */
@Injectable()
export class PhoneSessionLoop extends WorkLoop<RowOf<typeof company>> {
  private readonly silenceMs: number;

  constructor(database: Database, @Inject(CONFIG) { phoneSilenceMs }: ProvisioningConfig) {
    super(database, {
      reason: 'which companies have phones that no longer ask, of all',
      tickMs: Math.min(mostTickMs, phoneSilenceMs / 2),
      atOnce,
    });
    this.silenceMs = phoneSilenceMs;
  }

  protected override claim(): Promise<RowOf<typeof company>[]> {
    return currentSql().rows(
      company,
      `select distinct ${company} from phone_session s where ${isSilentSql} limit ${atOnce}`,
      [this.silenceMs],
    );
  }

  protected override perform({ companyId }: RowOf<typeof company>): Promise<void> {
    return inCompany(this.database, companyId, () => endSilent(this.silenceMs));
  }
}
