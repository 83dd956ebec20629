import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { citedRows, claimsOf, pageWith, rowsOf, type Claim } from './requirement-page.ts';

/**
 * Checks docs/requirements.md, which lists the tests of each requirement, and that every row and page cited in comments
 * and documents exists. `--write` updates states and tests; the texts of the rows are edited on the page.
 */
const root = resolve(import.meta.dirname, '../../..');
const page = 'docs/requirements.md';
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

const isTest = (file: string): boolean =>
  /\.(spec|it|platform|e2e|suite|packets|conformance)\.tsx?$|-test\.ts$|-journey\.ts$|\/test(ing)?\//.test(file);
/** Sources of this tool, whose tests contain invented rows. */
const isOwn = (file: string): boolean => file.startsWith('libs/devtools/src/requirement');
const sources = listed('*.ts', '*.tsx', '*.py', '*.sh', '*.yaml', '*.yml', '*.md');
const text = read(page);
const rows = rowsOf(text);
const known = new Set(rows.map(({ id }) => id));

const claims: Claim[] = sources
  .filter((file) => isTest(file) && !isOwn(file))
  .flatMap((file) => claimsOf(file, read(file)));
const wanted = pageWith(text, claims);
if (process.argv.includes('--write')) writeFileSync(join(root, page), wanted);

const areas = [...new Set(rows.map(({ id }) => id.split('-')[0]!))];
/** Pages outside of this repository, which its readers cannot open. */
const elsewhere = /\b(?:decisions,? \d|decisions\.md|reliability-security|ux-ops|stack\.md)/;

function check(file: string, content: string): string[] {
  return content.split('\n').flatMap((line, at) => {
    const wrong = citedRows(line, areas)
      .filter((id) => !known.has(id))
      .map((id) => `${id} is no row of ${page}`);
    for (const [path] of line.matchAll(/\bdocs\/[\w./-]*\w\.(?:md|py)\b/g))
      if (!existsSync(join(root, path))) wrong.push(`${path} is not there`);
    if (elsewhere.test(line)) wrong.push('cites a page that is not in this repository');
    return wrong.map((reason) => `${file}:${at + 1}: ${reason}`);
  });
}

const failures = sources
  .filter((file) => !isOwn(file) && !/\/migrations\/2026112[0-2]/.test(file))
  .flatMap((file) => check(file, read(file)));
if (!process.argv.includes('--write') && wanted !== text)
  failures.push(`${page} is not what the tests claim: ./carillon write`);

for (const planted of [
  '// (DEV-99)',
  '// see docs/nowhere.md',
  '// (decisions, 8)',
  '// (reliability-security, A4)',
  '// ux-ops',
])
  if (check('planted.ts', planted).length === 0) failures.push(`the check itself misses: ${planted}`);

const whole = rows.filter(({ id }) => claims.some((claim) => claim.id === id && claim.part === undefined)).length;
for (const failure of failures) console.error(failure);
console.log(`requirements: ${rows.length} rows, ${whole} whole, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
