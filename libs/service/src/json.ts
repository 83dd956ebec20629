/**
 * Returns whether an object in this valid JSON names a key twice. Parsers may take either value (RFC 8259, section 4),
 * so that two programs could read different requests from one text.
 */
export function hasKeyTwice(text: string): boolean {
  // For each open object its keys so far; null for an array.
  const open: (Set<string> | null)[] = [];
  let last: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else {
      const keys = open.at(-1)!;
      const key = last!.includes('\\') ? (JSON.parse(last!) as string) : last!.slice(1, -1);
      if (keys.has(key)) return true;
      keys.add(key);
    }
  }
  return false;
}
