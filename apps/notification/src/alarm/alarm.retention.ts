import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetTold } from '../email-notice/email-notice.queries.ts';
import { endOldEvents, forgetAlarms, recount } from './alarm.queries.ts';

const day = 86_400_000;
const eventDays = 7;
const keptDays = 90;

/** Events that nobody saw to end after a week, and what has ended goes after a quarter. */
@Injectable()
export class AlarmRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'alarms that have long ended',
      everyMs: 3_600_000,
      forget: async () => {
        const aged = await endOldEvents(new Date(Date.now() - eventDays * day));
        await forgetTold(new Date(Date.now() - keptDays * day));
        const gone = await forgetAlarms(new Date(Date.now() - keptDays * day));
        for (const [companyId, rows] of Map.groupBy(aged, (r) => r.companyId))
          await recount(
            companyId,
            rows.map((r) => r.lineId),
          );
        return gone;
      },
    });
  }
}
