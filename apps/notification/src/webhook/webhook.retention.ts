import { Injectable } from '@nestjs/common';
import { webhookLogDays } from '@carillon/contracts/constants';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetDeliveries } from './delivery.queries.ts';

const atOnce = 5_000;

/** Deletes the delivery log of webhooks after a month. */
@Injectable()
export class WebhookRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'the log of webhooks that is old',
      everyMs: 3_600_000,
      atOnce,
      forget: () => forgetDeliveries(new Date(Date.now() - webhookLogDays * 86_400_000), atOnce),
    });
  }
}
