import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Number of builds that are served: the current one and the two before it. */
const kept = 3;

/**
 * Copies the built console into the data folder, so that a later build does not remove files of a running instance.
 * Returns the folders to serve, the current build first; pages of older builds may still be open in a browser.
 */
export function keepConsole(data: string, built: string): string[] {
  const folder = join(data, 'console');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The page names every file by a hash of its content, so another build has another page.
  const name = createHash('sha256')
    .update(readFileSync(join(built, 'index.html')))
    .digest('hex')
    .slice(0, 16);
  const current = join(folder, name);
  if (!existsSync(current)) {
    const fresh = `${current}.new`;
    rmSync(fresh, { recursive: true, force: true });
    cpSync(built, fresh, { recursive: true });
    renameSync(fresh, current);
  }
  utimesSync(current, new Date(), new Date());
  const builds = readdirSync(folder)
    .map((n) => join(folder, n))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of [
    ...builds.filter((b) => b.endsWith('.new')),
    ...builds.filter((b) => !b.endsWith('.new')).slice(kept),
  ])
    rmSync(old, { recursive: true, force: true });
  return builds.filter((b) => !b.endsWith('.new')).slice(0, kept);
}
