import { describe } from 'vitest';
import { testFailures } from './bus.failure.suite.ts';
import { testFanout } from './bus.fanout.suite.ts';
import { testGroups } from './bus.group.suite.ts';
import { BusPlace, type BusDriver } from './bus.place.ts';

/** Tests the contract of every bus driver: see libs/messaging/src/bus.ts. */
export function busSuite(name: string, driver: BusDriver): void {
  describe(`bus: ${name}`, () => {
    const place = new BusPlace(driver);
    testGroups(place);
    testFailures(place);
    testFanout(place);
  });
}
