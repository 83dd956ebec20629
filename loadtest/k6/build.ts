import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@carillon/devtools/cache-folder';

const extension = join(import.meta.dirname, 'extension');
const sources = [
  'go.mod',
  'go.sum',
  'main.go',
  ...readdirSync(join(extension, 'mqtt')).map((name) => join('mqtt', name)),
];

/** Returns whether Go is installed, which builds k6. */
export const hasGo = (): boolean => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

/** Returns the path of k6 with our MQTT module: one for each state of its sources, in the user's cache folder. */
export function k6Path(): string {
  const hash = createHash('sha256');
  for (const name of sources) hash.update(readFileSync(join(extension, name)));
  return join(cacheFolder().folder, `k6-${hash.digest('hex').slice(0, 16)}`);
}

/** Builds k6 if it does not exist yet, which takes about two minutes. Returns its path. */
export function buildK6(say: (text: string) => void): string {
  const file = k6Path();
  if (existsSync(file)) return file;
  if (!hasGo()) throw new Error('Go is needed to build k6 with its MQTT module (https://go.dev/dl).');
  say('building k6 with its MQTT module, once, about two minutes');
  const made = `${file}.${process.pid}`;
  const { status } = spawnSync('go', ['build', '-trimpath', '-o', made, '.'], {
    cwd: extension,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('k6 could not be built; see above');
  renameSync(made, file);
  return file;
}

if (import.meta.main && hasGo()) buildK6((text) => process.stdout.write(`${text}\n`));
