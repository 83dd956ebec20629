/** What a test's title claims: a row, `[DEV-03]`, or one clause of it, `[DEV-06/push]`. */
export interface Claim {
  id: string;
  part: string | undefined;
  file: string;
}

export interface Row {
  id: string;
  text: string;
}

const rowLine = /^\| ([A-Z]+-\d\d) \| (.*?) \| (?:whole|part: [^|]*|open) \| [^|]*\|$/gm;

/** The rows of the page, in its order. */
export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(rowLine)].map(([, id, text]) => ({ id: id!, text: text! }));

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const claim = /\[([A-Z]+-\d\d)(?:\/([\w-]+))?\]/g;

/** Returns where the bracket opens that closes at `end`. */
function opening(source: string, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (source[at] === ')') depth++;
    if (source[at] === '(' && --depth === 0) return at;
  }
  return -1;
}

/** Whether a literal at this place is the title of a test: `it('…'`, `test.runIf(…)('…'`, `it.for([…])('…'`. */
function isTitle(source: string, at: number): boolean {
  const before = source.slice(0, at).trimEnd();
  if (!before.endsWith('(')) return false;
  const called = before.slice(0, -1);
  const name = called.endsWith(')') ? called.slice(0, opening(called, called.length - 1)) : called;
  return /(?:^|[^\w.])(?:it|test|describe)(?:\.\w+)*$/.test(name);
}

/** Returns what the titles of tests in a source claim. A fixture that looks like a title claims nothing. */
export const claimsOf = (file: string, source: string): Claim[] =>
  [...source.matchAll(literal)]
    .filter(({ 0: text, index }) => text.includes('[') && isTitle(source, index))
    .flatMap(([text]) => [...text.matchAll(claim)].map(([, id, part]) => ({ id: id!, part, file })));

/** Rows that a text cites, of the areas that the page has. */
export const citedRows = (text: string, areas: readonly string[]): string[] =>
  [...text.matchAll(/\b([A-Z]+)-\d\d\b(?![-\d])/g)].filter(([, area]) => areas.includes(area!)).map(([id]) => id);

function stateOf(id: string, claims: readonly Claim[]): string {
  const own = claims.filter((claim) => claim.id === id);
  if (own.some((claim) => claim.part === undefined)) return 'whole';
  const parts = [...new Set(own.map((claim) => claim.part!))].toSorted();
  return parts.length > 0 ? `part: ${parts.join(', ')}` : 'open';
}

/** Files of the tests of a row: of those that prove it whole when there are any. */
function testsOf(id: string, claims: readonly Claim[]): string {
  const own = claims.filter((claim) => claim.id === id);
  const whole = own.filter((claim) => claim.part === undefined);
  const files = [...new Set((whole.length > 0 ? whole : own).map((claim) => claim.file))].toSorted();
  return files.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ');
}

/** The page with the state and the tests of each row as the claims have them. */
export const pageWith = (page: string, claims: readonly Claim[]): string =>
  page.replaceAll(
    rowLine,
    (_, id: string, text: string) => `| ${id} | ${text} | ${stateOf(id, claims)} | ${testsOf(id, claims)} |`,
  );
