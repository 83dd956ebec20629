import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensurePrometheus } from '@carillon/devtools/prometheus';
import { ensureRedis } from '@carillon/devtools/redis';
import { canStartS3, ensureS3 } from '@carillon/devtools/s3';
import { ensureSlapd } from '@carillon/devtools/slapd';
import { projectRoot } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { Trouble } from './trouble.ts';

/** What tests need on the machine. Needs from `s3` on are compiled with Go, which takes minutes. */
export type Need = 'java' | 'redis' | 'slapd' | 'prometheus' | 'browser' | 'build' | 's3' | 'k6' | 'goTools';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const ensure: Record<Need, () => unknown> = {
  java,
  redis: () => ensureRedis(say),
  slapd: () => ensureSlapd(say),
  prometheus: () => ensurePrometheus(say),
  browser,
  build: () => prepare(say),
  s3: () => (canStartS3() ? ensureS3() : undefined),
  k6: () => built('loadtest/k6/build.ts'),
  goTools: () => built('libs/devtools/src/go-tools.ts'),
};

/**
 * Installs or builds the needs one after the other. Throws `Trouble` with the package to install when one is missing.
 */
export async function ensureNeeds(needs: ReadonlySet<Need>): Promise<void> {
  for (const need of Object.keys(ensure) as Need[]) {
    if (!needs.has(need)) continue;
    try {
      await ensure[need]();
    } catch (error) {
      throw error instanceof Trouble ? error : new Trouble((error as Error).message);
    }
  }
}

/** Installs Chromium and the fonts of four languages. */
function browser(): void {
  if (
    existsSync('/usr/bin/chromium') &&
    existsSync('/usr/bin/chromium-headless-shell') &&
    existsSync('/usr/share/fonts/opentype/noto')
  )
    return;
  install('The browser tests', 'Chromium and the Noto CJK fonts', [
    'chromium',
    'chromium-headless-shell',
    'fonts-noto-cjk',
  ]);
}

/** Installs Java for Kafka, and Maven, which downloads it. */
function java(): void {
  const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0;
  if (isThere('java') && isThere('mvn')) return;
  install('The tests of the bus', 'Java and Maven for a Kafka broker', ['default-jre-headless', 'maven']);
}

/** Installs system packages. Throws `Trouble` with their names when this user may not. */
function install(who: string, what: string, packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0)
    throw new Trouble(`${who} need ${what} (Debian: apt-get install ${packages.join(' ')}).`);
  say(`installing ${what}`);
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-q'], quiet);
  if (spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet).status !== 0)
    throw new Trouble(`${what} could not be installed by apt-get.`);
}

function built(file: string): void {
  spawnSync(process.execPath, ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning', file], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
}
