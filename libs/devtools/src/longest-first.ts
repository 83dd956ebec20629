import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds of the longest files, from the summary of `./carillon test`. The last file to begin decides when the run
 * ends. A file that is not listed is placed by its size.
 */
const seconds: Record<string, number> = {
  'apps/standalone/src/cluster-fault.platform.ts': 900,
  'apps/standalone/src/fleet.platform.ts': 85,
  'apps/standalone/src/cluster.platform.ts': 60,
  'apps/standalone/src/device.platform.ts': 46,
  'apps/standalone/src/kill.platform.ts': 43,
  // Placed later: it measures response times, which the busy start would disturb.
  'apps/standalone/src/storm.platform.ts': 36.5,
  'apps/standalone/src/firmware.platform.ts': 31,
  'apps/standalone/src/cli.platform.ts': 31,
  'apps/standalone/src/import.platform.ts': 27,
  'apps/standalone/src/door.platform.ts': 25,
  'apps/console/src/screens.e2e.ts': 300,
  'apps/console/src/screens-narrow.e2e.ts': 160,
  'apps/console/src/kit/grid/every-list.e2e.ts': 150,
  'apps/console/src/area/people/account/account.e2e.ts': 80,
  'apps/console/src/area/people/user/user.e2e.ts': 58,
  'apps/console/src/kit/session/idle.e2e.ts': 55,
  'apps/console/src/area/device/device/push.e2e.ts': 48,
  'apps/console/src/kit/grid/device-list.e2e.ts': 40,
  'apps/console/src/kit/session/session.e2e.ts': 36,
  'apps/console/src/frame/shell/shell.e2e.ts': 33,
  'apps/standalone/src/isolation.it.ts': 96,
  'libs/messaging/src/drivers/kafka.faults.it.ts': 50,
  'apps/task/src/task/task-status.it.ts': 47,
  'libs/messaging/src/drivers/kafka.access.it.ts': 42,
  'apps/gateway/src/edge/slow-client.it.ts': 28,
  'apps/mqtt-gateway/src/listener/connection-limit.it.ts': 22,
  'apps/auth/src/login/refused-login.it.ts': 26,
  'libs/messaging/src/drivers/kafka.it.ts': 29,
  'apps/mqtt-gateway/src/gateways.it.ts': 29,
  'apps/standalone/src/cli/topics.it.ts': 26,
  'apps/gateway/src/access-attack.it.ts': 21,
  'libs/messaging/src/strategy.it.ts': 25,
};

/** Runs the longest files first, platform files before the others, so that no worker is idle at the end. */
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
