import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { CONFIG, Retention } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { forgetOldFailures } from '../login/login.queries.ts';
import { deleteOld } from './session.queries.ts';

/** Deletes data that no token and no lock needs any more. */
@Injectable()
export class CleanUp extends Retention {
  constructor(database: Database, @Inject(CONFIG) config: AuthConfig) {
    super(database, {
      reason: 'delete tokens and sessions that have long ended',
      everyMs: 3_600_000,
      forget: async () =>
        (await deleteOld(new Date(), new Date(Date.now() - config.sessionSeconds * 1000))) +
        (await forgetOldFailures(new Date(Date.now() - 86_400_000))),
    });
  }
}
