import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetSamples, takeSample } from './device-sample.queries.ts';

/** The longest range that is shown, plus a day. */
const keptDays = 31;

/**
 * Checks every minute whether the current quarter of an hour has its sample, and deletes samples that no range shows.
 */
@Injectable()
export class DeviceSampler extends Retention {
  constructor(database: Database) {
    // At the start devices are still reconnecting: a count at that moment would show a drop that did not happen.
    let begun = false;
    super(database, {
      reason: 'count the devices of all companies over time',
      everyMs: 60_000,
      forget: async () => {
        if (begun) await takeSample();
        begun = true;
        return forgetSamples(keptDays);
      },
    });
  }
}
