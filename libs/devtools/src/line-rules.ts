export const maxColumns = 120;
export const maxLines = 400;

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

/** Returns what is wrong with the length of a file and of its lines. */
export function lineFailures(file: string, source: string): string[] {
  const lines = source.replace(/\n$/, '').split('\n');
  return [
    ...(lines.length > maxLines ? [`${file}: ${lines.length} lines`] : []),
    ...lines.flatMap((line, at) => (isTooLong(line) ? [`${file}:${at + 1}: ${line.length} columns`] : [])),
  ];
}
