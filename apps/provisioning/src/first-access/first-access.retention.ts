import { Injectable } from '@nestjs/common';
import { knownNetworkDays, unclaimedPhoneDays, waitingPhoneDays } from '@carillon/contracts/constants';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const atOnce = 5_000;
const kept = [
  ['first_ask', 'id', waitingPhoneDays],
  ['known_network', 'id', knownNetworkDays],
  ['unclaimed_phone', 'mac', unclaimedPhoneDays],
] as const;

/** Deletes phones that no longer ask, and networks from which none was new for long. */
@Injectable()
export class FirstAccessRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'phones that asked long ago, and their networks',
      everyMs: 3_600_000,
      atOnce,
      forget: async () => {
        let most = 0;
        for (const [table, key, days] of kept) {
          const { rowCount } = await currentSql().query(
            `
              delete from ${table} t
              where t.${key} in (
                select o.${key} from ${table} o where o.last_at < now() - ${days} * interval '1 day' limit ${atOnce}
              )
            `,
          );
          most = Math.max(most, rowCount);
        }
        return most;
      },
    });
  }
}
