import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetTold } from '../email-notice/email-notice.queries.ts';
import { WebhookEvents } from '../webhook/webhook.events.ts';
import { companiesWithOld, endOldEvents, forgetAlarms } from './alarm-retention.queries.ts';
import { holdAlarms, recount } from './alarm.queries.ts';

const day = 86_400_000;
const eventDays = 7;
const keptDays = 90;
/** Rows deleted per transaction. */
const atOnce = 5_000;

/** Ends unacknowledged events after a week, and deletes ended alarms after a quarter. */
@Injectable()
export class AlarmRetention extends Retention {
  constructor(database: Database, webhooks: WebhookEvents) {
    super(database, {
      reason: 'alarms that have long ended',
      everyMs: 3_600_000,
      atOnce,
      forget: async () => {
        const [oldEvents, forgotten] = [eventDays, keptDays].map((days) => new Date(Date.now() - days * day)) as [
          Date,
          Date,
        ];
        // Always in the same order, so that two processes never deadlock.
        for (const companyId of await companiesWithOld(oldEvents, forgotten)) await holdAlarms(companyId);
        const aged = await endOldEvents(oldEvents);
        await webhooks.alarms(
          'alarm.ended',
          aged.map((r) => r.id),
        );
        await forgetTold(forgotten);
        const gone = await forgetAlarms(forgotten, atOnce);
        for (const [companyId, rows] of Map.groupBy(aged, (r) => r.companyId))
          await recount(
            companyId,
            rows.map((r) => r.groupId),
          );
        return gone;
      },
    });
  }
}
