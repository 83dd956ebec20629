import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

const requirements = resolve(import.meta.dirname, '../../../../deploy/tools/fuzz/requirements.txt');

/** Installs Schemathesis into its own environment, once per version of its requirements. Returns the program. */
export function ensureSchemathesis(say: (text: string) => void = () => {}): string {
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder().folder, `schemathesis-${key}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    say('installing Schemathesis');
    rmSync(folder, { recursive: true, force: true });
    run('python3', ['-m', 'venv', folder], 'Python 3.10 or newer with venv (Debian: apt-get install python3-venv)');
    run(join(folder, 'bin/pip'), ['install', '-q', '--no-deps', '-r', requirements], 'its packages from a registry');
    // Written last, so that an interrupted installation starts again.
    writeFileSync(complete, '');
  }
  return join(folder, 'bin/schemathesis');
}

function run(program: string, args: readonly string[], needs: string): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`Schemathesis needs ${needs}: ${(stderr || error?.message || '').trim().split('\n').at(-1)}`);
}
