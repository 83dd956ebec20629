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

/** What the titles in a test's source claim. */
export const claimsOf = (file: string, source: string): Claim[] =>
  [...source.matchAll(/\[([A-Z]+-\d\d)(?:\/([\w-]+))?\]/g)].map(([, id, part]) => ({ id: id!, part, file }));

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
