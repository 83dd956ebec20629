/** What can be compared: numbers between dots, as the version range of a task has them. */
const comparable = /^\d{1,9}(\.\d{1,9}){0,7}$/;

/**
 * Below 0 when `a` is the older version, 0 when both are the same, above 0 when it is the newer; null when they cannot
 * be compared. By their numbers: 2.4 is 2.4.0, and older than 2.10.
 */
export function compareVersions(a: string | null, b: string | null): number | null {
  if (a === null || b === null || !comparable.test(a) || !comparable.test(b)) return a !== null && a === b ? 0 : null;
  const [of, to] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let n = 0; n < Math.max(of.length, to.length); n++) {
    const difference = (of[n] ?? 0) - (to[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
