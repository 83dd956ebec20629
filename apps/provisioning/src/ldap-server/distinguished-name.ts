/** A part of a distinguished name: one attribute, or several that are joined by `+`. */
export type NamePart = readonly { type: string; value: string }[];

/** Pairs of hex digits in a row, which are bytes of UTF-8, or one escaped character. */
const escapes = /((?:\\[0-9a-f]{2})+)|\\(.)/gis;

/** Returns a value as RFC 4514 writes it, decoded. */
function decode(written: string): string {
  const text = /^"(.*)"$/s.exec(written)?.[1] ?? written;
  if (!text.includes('\\')) return text;
  return text.replaceAll(escapes, (_, pairs: string | undefined, letter: string) =>
    pairs === undefined ? letter : Buffer.from(pairs.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
}

const attributeType = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/i;

/** Returns where a value ends: at the first `,`, `;` or `+` that is neither escaped nor quoted, or at the end. */
function endOfValue(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && ',;+'.includes(text[at]!)) return at;
  }
  return isQuoted ? -1 : text.length;
}

/** Returns a value without the spaces around it. A space that is escaped belongs to the value. */
function trimmed(written: string): string {
  const text = written.trim();
  const slashes = /\\*$/.exec(text)![0].length;
  return slashes % 2 === 1 ? `${text} ` : text;
}

/** Returns the parts of a distinguished name, the entry's own first; undefined when the text is none (RFC 4514). */
export function parseName(text: string): NamePart[] | undefined {
  const parts: NamePart[] = [];
  let part: { type: string; value: string }[] = [];
  for (let at = 0; ;) {
    const equals = text.indexOf('=', at);
    const type = text.slice(at, Math.max(at, equals)).trim();
    const end = equals === -1 ? -1 : endOfValue(text, equals + 1);
    if (end === -1 || !attributeType.test(type)) return undefined;
    part.push({ type: type.toLowerCase(), value: decode(trimmed(text.slice(equals + 1, end))) });
    if (text[end] !== '+') {
      parts.push(part);
      part = [];
    }
    if (end >= text.length) return parts;
    at = end + 1;
  }
}

const folded = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns the form in which two spellings of one distinguished name are equal: case, spaces and escapes do not count. */
export function comparedName(text: string): string {
  const parts = parseName(text);
  if (!parts) return folded(text);
  return JSON.stringify(
    parts.map((part) =>
      part.map(({ type, value }) => [type, folded(value)]).toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    ),
  );
}
