import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/** Thrown with one sentence that names what is missing for an engine. */
export class DockerUnavailable extends Error {}
export const projectFolder = resolve(import.meta.dirname, '../../../..');
/** Folder of the Go modules and images that the project builds. */
export const toolFolder = join(projectFolder, 'deploy/tools');
export const cached = (name: string): string => join(cacheFolder().folder, name);

/** Runs a program to its end. */
export async function execute(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let all = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    all += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    all += chunk.toString();
  });
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed).once('close', (code) => done(code ?? 1));
  });
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} ended with ${code}:\n${all.slice(-6_000)}`);
  return out;
}

/** Creates `path` once. It is made under another name and renamed, so that parallel or interrupted runs do no harm. */
export async function once(path: string, make: (fresh: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = mkdtempSync(`${path}.new-`);
  try {
    await make(fresh);
    try {
      renameSync(fresh, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return path;
}

/** Unpacks Debian packages into a folder of the cache. */
export function unpacked(name: string, wanted: readonly string[]): Promise<string> {
  const key = createHash('sha256').update(wanted.join()).digest('hex').slice(0, 12);
  return once(cached(`${name}-${key}`), async (fresh) => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-deb-'));
    try {
      const download = (): Promise<string> => execute('apt-get', ['download', '-q', ...wanted], { cwd: folder });
      await download().catch(async () => {
        await execute('apt-get', ['update', '-q']);
        await download();
      });
      for (const file of readdirSync(folder)) await execute('dpkg-deb', ['-x', join(folder, file), fresh]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Builds the programs of a Go module under deploy/toolFolder, once per version of the module. */
export function builtWithGo(module: string, builds: readonly (readonly string[])[], linked = ''): Promise<string> {
  const folder = join(toolFolder, module);
  const hash = createHash('sha256').update(JSON.stringify(builds) + linked);
  for (const name of readdirSync(folder).filter((n) => /^go\.|\.go$/.test(n)))
    hash.update(readFileSync(join(folder, name)));
  return once(cached(`${module}-${hash.digest('hex').slice(0, 12)}`), async (fresh) => {
    if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
      throw new DockerUnavailable('Go is missing, which builds the tools (https://go.dev/dl).');
    for (const args of builds)
      await execute('go', ['build', '-trimpath', `-ldflags=-s -w ${linked}`, '-o', `${fresh}/`, ...args], {
        cwd: folder,
      });
  });
}
