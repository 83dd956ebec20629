import { dataFolder, readState } from './data-folder.ts';
import { askOps } from './ops.ts';
import { isSimulator } from './simulator.ts';
import { Trouble } from './trouble.ts';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Restarts the processes of a running cluster one by one, each after the previous one is ready. */
export async function roll(only: readonly string[], options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up --cluster`.');
  if ('standalone' in state.processes)
    throw new Trouble('Standalone is one process; `./carillon down` and `up` replace it.');
  const all = Object.keys(state.processes).filter((name) => !isSimulator(name));
  for (const name of only)
    if (!all.includes(name)) throw new Trouble(`There is no process "${name}"; there are ${all.join(', ')}.`);
  for (const name of only.length > 0 ? only : all) {
    const before = readState(folder)!.processes[name]!;
    const began = performance.now();
    process.kill(before, 'SIGTERM');
    for (const until = Date.now() + 90_000; ; await wait(100)) {
      const now = readState(folder)?.processes[name];
      if (now !== undefined && now !== before && (await askOps(folder, name, '/readyz'))?.status === 200) break;
      if (Date.now() > until) throw new Trouble(`${name} did not come back within 90 s; see its log.`);
    }
    process.stdout.write(`  ${name.padEnd(16)} replaced in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  }
}
