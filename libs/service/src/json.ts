/**
 * Whether an object of this text names one key twice. The text is known to be JSON: which of the two a reader takes is
 * not told (RFC 8259, section 4), so that two programs could read two requests out of one.
 */
export function hasKeyTwice(text: string): boolean {
  // Of each object that is open the keys so far, of a list nothing.
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
