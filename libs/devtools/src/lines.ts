import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lineFailures } from './line-rules.ts';

/**
 * Checks that no source file is longer than 400 lines, and no line longer than 120 columns. The formatter breaks code,
 * but neither comments nor literals: SQL and HTML are broken by hand, one clause per line. A line may be longer only
 * because of one literal without a place to break: a message, a test title, a pattern.
 */
const root = resolve(import.meta.dirname, '../../..');

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/\.gen\.ts$|\/migrations\/2026112[0-2]/.test(file));

const failures = files.flatMap((file) => lineFailures(file, readFileSync(join(root, file), 'utf8')));

for (const failure of failures) console.error(failure);
console.log(`lines: ${files.length} files, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
