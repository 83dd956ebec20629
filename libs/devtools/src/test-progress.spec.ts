import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgressLines, runQuietly } from './test-progress.ts';

const root = resolve(import.meta.dirname, '../../..');
let folder: string;

/** Returns the output of `./carillon test` for files with these contents. */
async function printed(files: Record<string, string>, isTTY = false): Promise<{ code: number; text: string }> {
  const place = mkdtempSync(join(folder, 'run-'));
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content);
  let text = '';
  const lines = new ProgressLines({ isTTY, columns: 120, write: (more) => (text += more) }, 50);
  const progress = lines.begin('unit', new Map(), 60_000);
  const code = await runQuietly(
    [
      join(root, 'node_modules/.bin/vitest'),
      'run',
      '--root',
      place,
      `--reporter=${join(import.meta.dirname, 'test-reporter.ts')}`,
    ],
    { cwd: place, env: { ...process.env, CARILLON_TEST_REPORT: join(place, 'tests.jsonl') }, progress },
  );
  progress.end(code !== 0);
  lines.stop();
  return { code, text };
}

const head = `import { spawnSync } from 'node:child_process'; import { expect, it } from 'vitest';\n`;
const passing = `${head}it('holds', () => { console.log('a quiet word'); spawnSync('echo', ['a quiet child'], { stdio: 'inherit' }); expect(1).toBe(1); });\n`;
const failing = `${head}it('is broken', () => {
  console.log('why it broke');
  spawnSync('sh', ['-c', 'echo a word of its child'], { stdio: 'inherit' });
  expect(1).toBe(2);
});\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-reporter-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('The output of ./carillon test', () => {
  it("summarizes passing files: the part's start, its progress and its count", async () => {
    const { code, text } = await printed({ 'a.test.ts': passing });
    expect(code).toBe(0);
    expect(text).not.toContain('a quiet');
    expect(text).toMatch(/^== unit begins, about 1 min 0 s left\n== unit:.*left\n/);
    expect(text).toMatch(/== unit: 1 passed, 0 failed, 0 skipped, 1 of 1 files, done in \d+ s\n$/);
  });

  it('shows a failed test with its file, title, position and logs, without logs of other files', async () => {
    const { code, text } = await printed({ 'a.test.ts': passing, 'b.test.ts': failing });
    expect(code).toBe(1);
    expect(text).toContain('FAILED b.test.ts\n  is broken\n');
    expect(stripVTControlCharacters(text)).toContain('expect(1).toBe(2)');
    expect(text).toContain('Its logs:\nwhy it broke');
    expect(text).toMatch(/Written while it ran:\n[^]*a word of its child/);
    expect(text).not.toContain('a quiet word');
    expect(text).toMatch(/== unit: 1 passed, 1 failed, 0 skipped, 2 of 2 files, FAILED in \d+ s\n$/);
  });

  it('shows the error of a file that cannot be loaded', async () => {
    const { code, text } = await printed({ 'a.test.ts': `throw new Error('not even loaded');\n` });
    expect(code).toBe(1);
    expect(text).toContain('FAILED a.test.ts\n');
    expect(text).toContain('not even loaded');
  });

  it('shows an uncaught error although all tests passed', async () => {
    const late = `${head}it('holds', async () => {
      void Promise.reject(new Error('nobody waited'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    });\n`;
    const { code, text } = await printed({ 'a.test.ts': late });
    expect(code).toBe(1);
    expect(text).toContain('FAILED outside of the tests');
    expect(text).toContain('nobody waited');
    expect(text).toContain('1 of 1 files, FAILED');
  });

  it('rewrites its line in place on a terminal', async () => {
    const { text } = await printed({ 'a.test.ts': passing }, true);
    expect(text).toContain('\u001b[1A\u001b[0J== unit:');
    expect(text).not.toContain('begins');
  });

  it('fails a command that leaves a process behind', async () => {
    let text = '';
    const lines = new ProgressLines({ write: (more) => (text += more) });
    const progress = lines.begin('unit', new Map());
    const command = [
      process.execPath,
      '-e',
      `require('child_process').spawn('sleep', ['30'], { stdio: 'inherit' }).unref()`,
    ];
    expect(await runQuietly(command, { cwd: folder, env: process.env, progress, leftOverMs: 100 })).toBe(1);
    lines.stop();
    expect(text).toContain('node has left a process behind that holds its output');
  });
});
