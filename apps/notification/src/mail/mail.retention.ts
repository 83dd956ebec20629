import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetMails } from './mail.queries.ts';

const keepMs = 30 * 86_400_000;

/** Deletes old mails. */
@Injectable()
export class MailRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'forget mails that have long ended',
      everyMs: 3_600_000,
      forget: () => forgetMails(new Date(Date.now() - keepMs)),
    });
  }
}
