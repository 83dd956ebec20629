import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Checks that no source line is longer than 120 columns. The formatter breaks code, but neither comments nor literals:
 * SQL and HTML are broken by hand, one clause per line. A line may be longer only because of one literal without a
 * place to break: a message, a test title, a pattern.
 */
const root = resolve(import.meta.dirname, '../../..');
const maxColumns = 120;

/** A string, a pattern or a template. A template with SQL does not count. */
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)+\/[a-z]*|`(?:[^`\\]|\\.)*`/g;
const sql = /^`.*\b(?:select|insert|update|delete|where|from|join|ilike|create)\b.*`$/;

/** Returns the line without its longest literal. */
const withoutLiteral = (line: string): string => {
  const longest = [...line.matchAll(literal)]
    .map(([text]) => text)
    .filter((text) => !sql.test(text))
    .toSorted((a, b) => b.length - a.length)[0];
  return longest ? line.replace(longest, '') : line;
};

const isTooLong = (line: string): boolean => line.length > maxColumns && withoutLiteral(line).length > maxColumns;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/\.gen\.ts$|\/migrations\/2026112[0-2]/.test(file));

const failures = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, at) => (isTooLong(line) ? [`${file}:${at + 1}: ${line.length} columns`] : [])),
);

for (const failure of failures) console.error(failure);
console.log(`lines: ${files.length} files, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
