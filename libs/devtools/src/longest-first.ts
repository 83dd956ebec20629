import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds of the files that take longest, from the summary of `./carillon test`. The last one to begin decides when all
 * is done. A file that is not here is placed by its size.
 */
const seconds: Record<string, number> = {
  'apps/standalone/src/cluster-fault.platform.ts': 900,
  'apps/standalone/src/cluster.platform.ts': 130,
  'apps/console/src/screens.e2e.ts': 480,
  'apps/console/src/screens-narrow.e2e.ts': 470,
  'apps/standalone/src/import.platform.ts': 40,
  'apps/console/src/kit/grid/every-list.e2e.ts': 150,
  'apps/standalone/src/kill.platform.ts': 60,
  'apps/console/src/area/people/account/account.e2e.ts': 80,
  'apps/mqtt-gateway/src/gateways.it.ts': 78,
  'apps/console/src/kit/live/live.e2e.ts': 64,
  'apps/console/src/area/people/user/user.e2e.ts': 58,
  'apps/console/src/kit/session/idle.e2e.ts': 55,
  'apps/standalone/src/cli.platform.ts': 70,
  'apps/console/src/kit/grid/device-list.e2e.ts': 49,
  'libs/messaging/src/drivers/kafka.faults.it.ts': 50,
  'apps/standalone/src/fleet.platform.ts': 85,
  'apps/standalone/src/door.platform.ts': 120,
  'apps/standalone/src/config.platform.ts': 60,
  'libs/service/src/cache/redis-cache.it.ts': 40,
  'apps/standalone/src/isolation.it.ts': 39,
  'apps/console/src/area/people/role/right.e2e.ts': 38,
  'apps/standalone/src/device.platform.ts': 40,
  // Not at the beginning: it measures how long people wait for answers.
  'apps/standalone/src/storm.platform.ts': 36.5,
  'apps/console/src/kit/session/session.e2e.ts': 34,
  'apps/auth/src/login/login.it.ts': 29,
  'apps/mqtt-gateway/src/listener/listeners.it.ts': 27,
  'libs/messaging/src/strategy.it.ts': 26,
  'libs/messaging/src/drivers/kafka.it.ts': 25,
};

/** Runs the longest files first, those of the platform before the others, so that no lane is idle at the end. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const weight = new Map(
      files.map((spec) => [spec, seconds[relative(root, spec.moduleId)] ?? statSync(spec.moduleId).size / 1_000]),
    );
    const later = (spec: TestSpecification): number => Number(spec.project.name !== 'platform');
    return Promise.resolve(files.toSorted((a, b) => later(a) - later(b) || weight.get(b)! - weight.get(a)!));
  }
}
