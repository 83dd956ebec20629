import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keepConsole } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const built = join(folder, 'site');
/** Writes a build like Vite does: empties the folder and writes a page that names its one script. */
function build(hash: string): void {
  rmSync(built, { recursive: true, force: true });
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(built, 'index.html'), `<script src="/assets/index-${hash}.js"></script>`);
  writeFileSync(join(built, 'assets', `index-${hash}.js`), hash);
}

it('each start keeps its own copy of the build and the two builds before it', async () => {
  const seen: string[][] = [];
  for (const hash of ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD']) {
    build(hash);
    seen.push(keepConsole(folder, built));
    await new Promise((r) => {
      setTimeout(r, 5);
    });
  }
  const [current, ...before] = seen[3]!;
  rmSync(built, { recursive: true });
  expect(readFileSync(join(current!, 'assets/index-DDDDDDDD.js'), 'utf8')).toBe('DDDDDDDD');
  expect(before.map((b, i) => readFileSync(join(b, `assets/index-${['CCCCCCCC', 'BBBBBBBB'][i]}.js`), 'utf8'))).toEqual(
    ['CCCCCCCC', 'BBBBBBBB'],
  );
  expect(existsSync(seen[0]![0]!)).toBe(false);
});

it('a build that comes back becomes the current one again', () => {
  build('BBBBBBBB');
  const again = keepConsole(folder, built);
  expect(readFileSync(join(again[0]!, 'index.html'), 'utf8')).toContain('BBBBBBBB');
  expect(again).toHaveLength(3);
});
