import { Injectable } from '@nestjs/common';
import { columns, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { WorkLoop } from '@carillon/service';
import { PhoneCommand } from './phone-command.entity.ts';
import { endOverdue, isOverdueSql } from './phone-file.queries.ts';

/** Companies at a time. */
const atOnce = 2;
const tickMs = 2_000;

const company = columns(PhoneCommand, 'c', ['companyId']);

/** Ends commands whose phones have not loaded their files in time. */
@Injectable()
export class PhoneFileLoop extends WorkLoop<RowOf<typeof company>> {
  constructor(database: Database) {
    super(database, { reason: 'which companies have phones that did not load their files, of all', tickMs, atOnce });
  }

  protected override claim(): Promise<RowOf<typeof company>[]> {
    return currentSql().rows(
      company,
      `select distinct ${company} from phone_command c where ${isOverdueSql} limit ${atOnce}`,
    );
  }

  protected override perform({ companyId }: RowOf<typeof company>): Promise<void> {
    return inCompany(this.database, companyId, endOverdue);
  }
}
