import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { Trouble } from './trouble.ts';

/** Returns the benchmarks by name: files in a `bench` folder of an app or a library, or in loadtest/. */
function benches(): Map<string, string> {
  const folders = ['apps', 'libs']
    .flatMap((g) => readdirSync(join(projectRoot, g)).map((n) => join(projectRoot, g, n, 'bench')))
    .concat(join(projectRoot, 'loadtest'));
  return new Map(
    folders
      .filter((f) => existsSync(f))
      .flatMap((f) =>
        readdirSync(f)
          .filter((n) => n.endsWith('.bench.ts'))
          .map((n): [string, string] => [n.slice(0, -'.bench.ts'.length), join(f, n)]),
      ),
  );
}

export async function bench(
  name: string | undefined,
  more: readonly string[],
  options: { runs: number; clone?: boolean },
): Promise<void> {
  const all = benches();
  if (!name) {
    process.stdout.write(`Benchmarks: ${[...all.keys()].sort().join(', ')}\n`);
    return;
  }
  const file = all.get(name);
  if (!file) throw new Trouble(`There is no benchmark "${name}"; there are ${[...all.keys()].sort().join(', ')}.`);
  await prepare((text) => process.stderr.write(`  ${text}\n`));
  const child = spawn(
    process.execPath,
    [
      '--conditions=carillon-source',
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      file,
      '--runs',
      String(options.runs),
      ...(options.clone ? ['--clone'] : []),
      ...more,
    ],
    { cwd: projectRoot, stdio: 'inherit' },
  );
  process.exitCode = await new Promise<number>((r) => {
    child.on('exit', (code) => r(code ?? 1));
  });
}
