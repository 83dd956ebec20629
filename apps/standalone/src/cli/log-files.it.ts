import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { rotateLogs, withPredecessors } from './log-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('logs of a process that writes without pause stay bounded and keep the newest lines', async () => {
  const limits = { bytes: 20_000, kept: 3 };
  const file = join(folder, 'talker.log');
  const log = openSync(file, 'a', 0o600);
  const talker = spawn(
    process.execPath,
    ['-e', "let n = 0; setInterval(() => process.stdout.write(`${n++} ${'x'.repeat(90)}\\n`.repeat(1)), 1)"],
    { stdio: ['ignore', log, 'ignore'] },
  );
  closeSync(log);
  try {
    let most = 0;
    for (let times = 0; times < 8; times++) {
      await eventually(() => {
        if (statSync(file).size <= limits.bytes) throw new Error('not long enough yet');
      });
      rotateLogs(folder, limits);
      most = Math.max(
        most,
        readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
      );
    }
    expect(readdirSync(folder).toSorted()).toEqual(['talker.log', 'talker.log.1', 'talker.log.2', 'talker.log.3']);
    expect(most).toBeLessThan(limits.bytes * 6);
    // The process appends to the truncated file from its beginning and leaves no hole.
    await eventually(() => {
      expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(3);
    });
    const lines = withPredecessors(file).flatMap((f) =>
      readFileSync(f, 'utf8')
        .split('\n')
        .filter((l) => l.length > 90)
        .map((l) => Number.parseInt(l, 10)),
    );
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(lines.length).toBeGreaterThan(600);
  } finally {
    talker.kill('SIGKILL');
  }
});
