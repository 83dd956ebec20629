import { Injectable } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { forgetSamples, takeSample } from './device-sample.queries.ts';

/** The longest range that is shown, and a day. */
const keptDays = 31;

/** Looks every minute whether the quarter of an hour has its sample, and forgets those that no range shows. */
@Injectable()
export class DeviceSampler extends Retention {
  constructor(database: Database) {
    // At the start devices are about to come back: a count of that moment would show a fall that was none.
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
