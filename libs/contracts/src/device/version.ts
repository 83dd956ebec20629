/** Comparable versions: numbers separated by dots, as in the version range of a task. Imports nothing, as `capability.ts`. */
const comparable = /^\d{1,9}(\.\d{1,9}){0,7}$/;

/**
 * Compares by numbers: 2.4 equals 2.4.0 and is older than 2.10. Returns a value below 0 when `a` is older, 0 when both
 * are equal, above 0 when it is newer; null when they cannot be compared.
 */
export function compareVersions(a: string | null, b: string | null): number | null {
  if (a === null || b === null || !comparable.test(a) || !comparable.test(b)) return a !== null && a === b ? 0 : null;
  const [left, to] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let n = 0; n < Math.max(left.length, to.length); n++) {
    const difference = (left[n] ?? 0) - (to[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
