import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const others = 0o002;
const groupAndOthers = 0o022;
const sticky = 0o1000;

/** Returns why another user could have put files into the folder, or null. */
function foreign(path: string): string | null {
  const me = process.getuid?.();
  const found = lstatSync(path);
  if (!found.isDirectory()) return `${path} is no folder`;
  if (me !== undefined && found.uid !== me) return `${path} belongs to another user`;
  if ((found.mode & groupAndOthers) !== 0) return `others may write to ${path}`;
  // A user who may rename a folder above could replace this one.
  for (let at = dirname(path); ; at = dirname(at)) {
    const { uid, mode } = statSync(at);
    if (me !== undefined && uid !== me && uid !== 0) return `${at} belongs to another user`;
    if ((mode & others) !== 0 && (mode & sticky) === 0) return `others may write to ${at}`;
    if (at === dirname(at)) return null;
  }
}

/**
 * Creates a folder with a guessable name, or reuses an existing one that only we can write to, because programs from it
 * are executed. Throws an error with one sentence otherwise.
 */
export function ownFolder(path: string, mode = 0o700): string {
  mkdirSync(path, { recursive: true, mode });
  const why = foreign(path);
  if (why !== null) throw new Error(`${why}, and what lies in it would be run; remove it.`);
  return path;
}

/**
 * Returns the folder for downloads: the user's cache folder, or a temporary one when they have no home of their own.
 */
export function cacheFolder(): { folder: string; home: boolean } {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'carillon');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Older versions created the folder with the group permissions of the home.
    const { uid, mode } = lstatSync(folder);
    if (uid === process.getuid?.()) chmodSync(folder, mode & ~groupAndOthers);
    return { folder: ownFolder(folder), home: true };
  } catch {
    return { folder: ownFolder(join(tmpdir(), `carillon-cache-${process.getuid?.() ?? 0}`)), home: false };
  }
}
