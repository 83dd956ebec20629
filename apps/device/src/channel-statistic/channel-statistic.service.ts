import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { emitLive, Retention } from '@carillon/service';
import { countChannels } from './channel-statistic.queries.ts';

/** Keeps the sums that parent companies see of their channels, and tells open lists when they change. */
@Injectable()
export class ChannelStatisticService extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'sum the devices of each channel for the company above it',
      everyMs: 60_000,
      forget: async () => {
        const changed = await countChannels();
        for (const [companyId, rows] of Map.groupBy(changed, (row) => row.companyId))
          await emitLive(
            companyId,
            'channelStatistic',
            rows.map((row) => row.id),
            null,
          );
        return changed.length;
      },
    });
  }
}
