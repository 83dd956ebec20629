import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineWriter } from './standard-output.ts';

test.runIf(existsSync('/dev/full'))(
  'a line that does not fit on a full disk is dropped, without waiting for room',
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const out = lineWriter(full);
      for (const line of ['lost\n', 'lost too\n']) expect(() => out.write(line)).not.toThrow();
    } finally {
      closeSync(full);
    }
  },
);

test('lines are written whole and in order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-log-'));
  const file = openSync(join(folder, 'log'), 'a');
  try {
    const out = lineWriter(file);
    const lines = ['first\n', `${'é'.repeat(100_000)}\n`, 'last\n'];
    for (const line of lines) out.write(line);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(lines.join(''));
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
});
