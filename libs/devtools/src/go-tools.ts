import { ensureCompose } from './server/docker.ts';
import { chartTools } from './server/helm.ts';

/**
 * Builds the programs that product tests need. Go uses both processors for some minutes, so this runs before those
 * tests. A failed build is reported by the test that needs the program.
 */
const say = (text: string): void => void process.stdout.write(`${text}\n`);
for (const build of [ensureCompose, chartTools])
  await build(say).catch((error: unknown) => say(`not built: ${(error as Error).message.split('\n')[0]}`));
