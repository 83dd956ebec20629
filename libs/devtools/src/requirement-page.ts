/** The requirement that a test title claims: a row, `[DEV-03]`, or one clause of it, `[DEV-06/push]`. */
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

/** Returns the rows of the page in order. */
export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(rowLine)].map(([, id, text]) => ({ id: id!, text: text! }));

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const claim = /\[([A-Z]+-\d\d)(?:\/([\w-]+))?\]/g;

/** Returns the position of the bracket that closes at `end`. */
function opening(source: string, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (source[at] === ')') depth++;
    if (source[at] === '(' && --depth === 0) return at;
  }
  return -1;
}

/** Returns whether the literal is a test title: `it('…'`, `test.runIf(…)('…'`, `it.for([…])('…'`. */
function isTitle(source: string, at: number): boolean {
  const before = source.slice(0, at).trimEnd();
  if (!before.endsWith('(')) return false;
  const called = before.slice(0, -1);
  const name = called.endsWith(')') ? called.slice(0, opening(called, called.length - 1)) : called;
  return /(?:^|[^\w.])(?:it|test|describe)(?:\.\w+)*$/.test(name);
}

/** Returns the claims of the test titles in a source. Fixtures that look like titles do not count. */
export const claimsOf = (file: string, source: string): Claim[] =>
  [...source.matchAll(literal)]
    .filter(({ 0: text, index }) => text.includes('[') && isTitle(source, index))
    .flatMap(([text]) => [...text.matchAll(claim)].map(([, id, part]) => ({ id: id!, part, file })));

/** Returns the rows that a text cites, limited to the page's areas. */
export const citedRows = (text: string, areas: readonly string[]): string[] =>
  [...text.matchAll(/\b([A-Z]+)-\d\d\b(?![-\d])/g)].filter(([, area]) => areas.includes(area!)).map(([id]) => id);

function stateOf(id: string, claims: readonly Claim[]): string {
  const own = claims.filter((claim) => claim.id === id);
  if (own.some((claim) => claim.part === undefined)) return 'whole';
  const parts = [...new Set(own.map((claim) => claim.part!))].toSorted();
  return parts.length > 0 ? `part: ${parts.join(', ')}` : 'open';
}

/** Returns links to a row's test files: those that prove it whole, when there are any. */
function testsOf(id: string, claims: readonly Claim[]): string {
  const own = claims.filter((claim) => claim.id === id);
  const whole = own.filter((claim) => claim.part === undefined);
  const files = [...new Set((whole.length > 0 ? whole : own).map((claim) => claim.file))].toSorted();
  return files.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ');
}

/** Returns the page with each row's state and tests updated from the claims. */
export const pageWith = (page: string, claims: readonly Claim[]): string =>
  page.replaceAll(
    rowLine,
    (_, id: string, text: string) => `| ${id} | ${text} | ${stateOf(id, claims)} | ${testsOf(id, claims)} |`,
  );
