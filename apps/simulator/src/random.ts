/** Returns a generator of numbers in [0, 1) that depends only on the given words: FNV-1a seeds mulberry32. */
export function randomOf(...words: (string | number)[]): () => number {
  let state = 0x811c9dc5;
  for (const character of words.join('\u0000')) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
