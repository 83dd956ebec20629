import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
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

test('without a reader only the first line waits, and the next line that is written begins a new one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-log-'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(1_000_000);
  const read = () => buffer.toString('utf8', 0, readSync(pipe, buffer));
  try {
    let waits = 0;
    const out = lineWriter(pipe, () => void waits++);
    for (const line of [`${'x'.repeat(500_000)}\n`, 'lost\n', 'lost too\n']) out.write(line);
    expect(waits).toBe(100);
    expect(read()).toMatch(/^x+$/);
    out.write('next\n');
    out.write('last\n');
    expect(read()).toBe('\nnext\nlast\n');
  } finally {
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  }
});
