import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the files that take longest: who begins last decides when all is done. Their seconds are in the summary of `./carillon test`; a new one is placed by its size. */
const seconds: Record<string, number> = {
  'apps/standalone/src/cluster.platform.ts': 440, 'apps/console/src/screens.e2e.ts': 330, 'apps/standalone/src/kill.platform.ts': 150,
  // Not beside the load that k6 makes: sixteen containers start in it.
  'apps/standalone/src/deployment.platform.ts': 115,
  'apps/standalone/src/k6.platform.ts': 98, 'apps/console/src/account/account.e2e.ts': 94, 'apps/console/src/live/live.e2e.ts': 74, 'apps/console/src/grid/device-list.e2e.ts': 73,
  'apps/console/src/shell/shell.e2e.ts': 71, 'apps/standalone/src/cli.platform.ts': 65, 'apps/standalone/src/storm.platform.ts': 55, 'apps/standalone/src/device.platform.ts': 34, 'apps/standalone/src/task.platform.ts': 32, 'apps/console/src/session/idle.e2e.ts': 55, 'apps/console/src/two-step/two-step.e2e.ts': 40, 'apps/console/src/role/right.e2e.ts': 40,
};

/** The files of all projects that run together in one row, the longest first, so that no lane is idle while another has the longest. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const weight = new Map(files.map((spec) => [spec, seconds[relative(root, spec.moduleId)] ?? statSync(spec.moduleId).size / 1_000]));
    return Promise.resolve(files.toSorted((a, b) => weight.get(b)! - weight.get(a)!));
  }
}
