import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunState, Secrets } from './data-folder.ts';
import { UpPrinter } from './up.print.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-print-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const state = { url: 'http://127.0.0.1:1', mqtt: 'mqtt://127.0.0.1:2' } as RunState;
const secrets = { admin: { username: 'admin', password: 'Once-only-1' }, client: { id: 'a', secret: 'b' } } as Secrets;

function printed(json: boolean, isTTY: boolean): string {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => ((text += String(part)), true));
  const before = process.stdout.isTTY;
  process.stdout.isTTY = isTTY;
  try {
    new UpPrinter(json, folder).announce('is ready', state, secrets);
  } finally {
    process.stdout.isTTY = before;
    vi.restoreAllMocks();
  }
  return text;
}

it('the first password goes to a terminal or into JSON; a journal gets only the name of a private file', () => {
  const file = join(folder, 'first-password');
  expect(printed(false, true)).toContain('Password  Once-only-1');
  expect(printed(true, false)).toContain('"password":"Once-only-1"');
  expect(() => statSync(file)).toThrow('ENOENT');
  // The file existed before and everyone could read it.
  writeFileSync(file, 'x', { mode: 0o644 });
  const answer = printed(false, false);
  expect(answer).toContain(`Password  in ${file}`);
  expect(answer).not.toContain('Once-only-1');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['Once-only-1\n', 0o600]);
});
