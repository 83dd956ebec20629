import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheFolder, ownFolder } from './cache-folder.ts';

const root = process.getuid?.() === 0;
const nobody = 65_534;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-own-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('a folder with a guessable name is created for its user alone and reused', () => {
  const path = join(folder, 'programs');
  expect([ownFolder(path), ownFolder(path), statSync(path).mode & 0o777]).toEqual([path, path, 0o700]);
});

it('a folder that others may write to, a link and a file are refused', () => {
  const open = join(folder, 'open');
  mkdirSync(open);
  for (const mode of [0o777, 0o707, 0o770]) {
    chmodSync(open, mode);
    expect(() => ownFolder(open)).toThrow(`others may write to ${open}`);
  }
  const link = join(folder, 'link');
  symlinkSync(ownFolder(join(folder, 'target')), link);
  expect(() => ownFolder(link)).toThrow(`${link} is no folder`);
});

it('a folder below one that others may write to is refused, unless it has the sticky bit', () => {
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  expect(() => ownFolder(join(shared, 'programs'))).toThrow(`others may write to ${shared}`);
  chmodSync(shared, 0o1777);
  expect(ownFolder(join(shared, 'programs'))).toBe(join(shared, 'programs'));
});

it.runIf(root)("another user's folder is refused", () => {
  const theirs = join(folder, 'theirs');
  mkdirSync(theirs, { mode: 0o700 });
  chownSync(theirs, nobody, nobody);
  expect(() => ownFolder(theirs)).toThrow(`${theirs} belongs to another user`);
});

it('the cache lies in the home of its user, closed to the group', () => {
  const home = join(folder, 'home/carillon');
  expect(cacheFolder()).toEqual({ folder: home, home: true });
  chmodSync(home, 0o775);
  expect(cacheFolder()).toEqual({ folder: home, home: true });
  expect(statSync(home).mode & 0o777).toBe(0o755);
});

it('a cache that another user prepared is refused, in the home and in the temporary folder', () => {
  // The home is a folder that everyone may write to.
  mkdirSync(join(folder, 'home'));
  chmodSync(join(folder, 'home'), 0o777);
  const other = join(folder, `carillon-cache-${process.getuid?.() ?? 0}`);
  expect(cacheFolder()).toEqual({ folder: other, home: false });
  chmodSync(other, 0o777);
  expect(() => cacheFolder()).toThrow(`others may write to ${other}`);
  expect(existsSync(other)).toBe(true);
});
