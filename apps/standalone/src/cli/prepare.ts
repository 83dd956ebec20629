import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './data-folder.ts';
import { Trouble } from './trouble.ts';

/** Bundles the services and builds the console, unless the output was built from the current sources. */
export async function prepare(say: (text: string) => void): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=carillon-source',
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'libs/devtools/src/build.ts'),
    ],
    { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line.startsWith('building')) say(line);
  });
  const code = await new Promise<number>((resolve) => {
    child.on('exit', (c) => resolve(c ?? 1));
  });
  if (code !== 0) throw new Trouble(`The build failed:\n${errors}`);
}
