import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const others = 0o002;
const groupAndOthers = 0o022;
const sticky = 0o1000;

/** Why a folder may hold what somebody else put there, or null. */
function foreign(path: string): string | null {
  const me = process.getuid?.();
  const found = lstatSync(path);
  if (!found.isDirectory()) return `${path} is no folder`;
  if (me !== undefined && found.uid !== me) return `${path} belongs to another user`;
  if ((found.mode & groupAndOthers) !== 0) return `others may write to ${path}`;
  // Whoever may rename a folder above it may put another in its place.
  for (let at = dirname(path); ; at = dirname(at)) {
    const { uid, mode } = statSync(at);
    if (me !== undefined && uid !== me && uid !== 0) return `${at} belongs to another user`;
    if ((mode & others) !== 0 && (mode & sticky) === 0) return `others may write to ${at}`;
    if (at === dirname(at)) return null;
  }
}

/**
 * Makes a folder of a name that anybody can guess, or takes the one that is there, if it is ours alone: what lies in it
 * is run. Throws with a sentence when it is not.
 */
export function ownFolder(path: string, mode = 0o700): string {
  mkdirSync(path, { recursive: true, mode });
  const why = foreign(path);
  if (why !== null) throw new Error(`${why}, and what lies in it would be run; remove it.`);
  return path;
}

/** Where fetched things are kept: this user's cache folder, or a temporary one for whom has none of their own. */
export function cacheFolder(): { folder: string; home: boolean } {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'carillon');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // One of before may be open to the group, as everything in that home is.
    const { uid, mode } = lstatSync(folder);
    if (uid === process.getuid?.()) chmodSync(folder, mode & ~groupAndOthers);
    return { folder: ownFolder(folder), home: true };
  } catch {
    return { folder: ownFolder(join(tmpdir(), `carillon-cache-${process.getuid?.() ?? 0}`)), home: false };
  }
}
