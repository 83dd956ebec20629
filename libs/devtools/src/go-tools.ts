import { ensureCompose } from './server/docker.ts';
import { chartTools } from './server/helm.ts';

/**
 * Builds the programs that the tests of the product need, where they are not there yet. Go takes both processors for
 * some minutes: before those tests, not beside them. What cannot be built is said by the test that needs it.
 */
const say = (text: string): void => void process.stdout.write(`${text}\n`);
for (const build of [ensureCompose, chartTools])
  await build(say).catch((error: unknown) => say(`not built: ${(error as Error).message.split('\n')[0]}`));
