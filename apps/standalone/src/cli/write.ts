import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './data-folder.ts';
import { Trouble } from './trouble.ts';

const node = [process.execPath, '--conditions=carillon-source', '--disable-warning=ExperimentalWarning'];
const bin = (name: string): string => join(projectRoot, 'node_modules', '.bin', name);
const tool = (name: string): string[] => [...node, join(projectRoot, `libs/devtools/src/${name}.ts`), '--write'];

interface Step {
  writes: string;
  run: readonly string[];
  cwd?: string;
}
/** The order matters: contracts read the permissions of the actions, and the formatter runs last. */
const steps: readonly Step[] = [
  { writes: 'rights and tables of the actions', run: tool('actions') },
  {
    writes: 'the golden file and the changelog of the contracts, docs/errors',
    run: [bin('vitest'), 'run', '--project', 'unit', 'libs/contracts', '-u'],
  },
  { writes: 'the nouns of docs/where.md', run: tool('where') },
  { writes: 'states and tests of docs/requirements.md', run: tool('requirements') },
  // The console's types are checked against the route tree.
  { writes: 'the route tree of the console', run: [bin('vite'), 'build'], cwd: 'apps/console' },
  { writes: 'the layout', run: [bin('oxfmt')] },
];

/** Regenerates the files that follow from the sources. A step writes its file even when it reports something else. */
export function write(): void {
  const failures: string[] = [];
  for (const { writes, run, cwd = '' } of steps) {
    process.stdout.write(`writes ${writes}\n`);
    const [command, ...more] = run;
    const { status, stdout, stderr } = spawnSync(command!, more, { cwd: join(projectRoot, cwd), encoding: 'utf8' });
    if (status !== 0) failures.push(`${run.join(' ').replaceAll(`${projectRoot}/`, '')}\n${stdout}${stderr}`);
  }
  if (failures.length > 0) throw new Trouble(`It is written, and something is wrong still:\n${failures.join('\n')}`);
}
