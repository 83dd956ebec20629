const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The pause after each attempt that failed: eleven attempts in about a day. */
export const retryPausesMs = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  30 * minutes,
  1 * hours,
  2 * hours,
  4 * hours,
  6 * hours,
  10 * hours,
] as const;
/** Up to so much of a pause is added, by chance: what failed together does not come back together. */
export const jitter = 0.2;

/** Undefined: it was tried often enough. */
export function pauseAfter(attempt: number, random = Math.random()): number | undefined {
  const pause = retryPausesMs[attempt - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + jitter * random));
}
