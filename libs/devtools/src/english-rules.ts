import { parseSync } from 'vite';

/** Longest title of a test, in characters, with the rows that it names. */
export const maxTitle = 100;

/** Words that a reader has to think about, with what to write. The rules are in CONTRIBUTING.md, "Style". */
const words: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the user, the caller, anyone who'],
  [/\b(?:some|any|every)body\b/i, 'someone, anyone, everyone'],
  [/(?<![\w'’])(?:he|him|his)(?![\w'’])/i, 'they, them, their'],
  [/\bof before\b/i, 'earlier, before the change'],
];
/** Begins a sentence that hides its subject. */
const beginning = /^(?:Of|Whoever|Where nothing|Neither)\b/;

interface Comment {
  value: string;
  start: number;
}
interface Node {
  type?: string;
  start?: number;
  [key: string]: unknown;
}

const said = (text: string): string[] =>
  words.flatMap(([wrong, right]) => {
    const found = wrong.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}" is ${right}`];
  });

/** Returns what is wrong with the words of a comment. */
function commentFailures(text: string): string[] {
  const plain = text.replaceAll(/^\s*\*+ ?/gm, '').trim();
  const begins = beginning.exec(plain)?.[0];
  return [...said(plain), ...(begins === undefined ? [] : [`a comment begins with its subject, not with "${begins}"`])];
}

const nameOf = (node: unknown): string | undefined => (node as { name?: string } | null)?.name;
const testCalls = new Set(['test', 'it', 'describe']);

/** Returns the function that a call such as `it.each(rows)(…)` begins with. */
function callee(node: Node | undefined): string | undefined {
  if (node?.type === 'CallExpression' || node?.type === 'TaggedTemplateExpression')
    return callee((node['callee'] ?? node['tag']) as Node);
  if (node?.type === 'MemberExpression') return callee(node['object'] as Node);
  return nameOf(node);
}

/** Returns the title of a call of `test`, `it` or `describe`; undefined for other calls. */
function titleOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || !testCalls.has(callee(node['callee'] as Node) ?? '')) return undefined;
  const [first] = node['arguments'] as { value?: unknown; quasis?: { value: { cooked: string } }[] }[];
  if (typeof first?.value === 'string') return first.value;
  return first?.quasis?.map(({ value }) => value.cooked).join('…');
}

/** Returns the names that a node declares as variable, function, method or parameter. */
function declared(node: Node): (string | undefined)[] {
  if (node.type === 'MethodDefinition') return [nameOf(node['key'])];
  if (node.type === 'VariableDeclarator') return [nameOf(node['id'])];
  if (node.type === 'FunctionDeclaration') return [nameOf(node['id']), ...params(node)];
  if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return params(node);
  return [];
}
const params = (node: Node): (string | undefined)[] => (node['params'] as unknown[]).map(nameOf);

function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (typeof (value as Node).type === 'string') yield value as Node;
  for (const child of Object.values(value)) yield* nodes(child);
}

/** Returns what is wrong with the comments, test titles and definitions of a TypeScript file, each with its line. */
export function codeFailures(file: string, source: string): string[] {
  const { program, comments } = parseSync(file, source) as unknown as { program: Node; comments: Comment[] };
  const at = (start: number): string => `${file}:${source.slice(0, start).split('\n').length}`;
  const failures = comments.flatMap(({ value, start }) =>
    commentFailures(value).map((failure) => `${at(start)}: ${failure}`),
  );
  for (const node of nodes(program)) {
    const title = titleOf(node);
    const wrong = title === undefined ? [] : said(title);
    if (title !== undefined && title.length > maxTitle) wrong.push(`a title of ${title.length} characters`);
    if (declared(node).includes('of')) wrong.push('a definition is named "of"');
    failures.push(...wrong.map((failure) => `${at(node.start!)}: ${failure}`));
  }
  return failures;
}

/** Returns what is wrong with the words of a document. Quotations in backticks do not count. */
export const documentFailures = (file: string, source: string): string[] =>
  source.split('\n').flatMap((line, at) => said(line.replaceAll(/`[^`]*`/g, '')).map((f) => `${file}:${at + 1}: ${f}`));
