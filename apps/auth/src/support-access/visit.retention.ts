import { Injectable } from '@nestjs/common';
import { authVisit, supportAccessHours } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { deleteOldVisits } from './support-access.queries.ts';

/** Longer than any access plus any token of a visit. */
const keptMs = (supportAccessHours + 24) * 3_600_000;

/** Deletes visits that nobody can be on any more, also from the API gateways. */
@Injectable()
export class VisitRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'delete visits that have long ended',
      everyMs: 3_600_000,
      forget: async () => {
        const gone = await deleteOldVisits(new Date(Date.now() - keptMs));
        for (const { id, companyId } of gone) await emit(authVisit, 'visit', id, null, { companyId });
        return gone.length;
      },
    });
  }
}
