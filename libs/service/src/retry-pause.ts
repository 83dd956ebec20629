const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The pause after each failed attempt at a server outside: eleven attempts in about a day. */
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
/** Largest random share added to a pause, so that simultaneous failures are not retried simultaneously. */
export const jitter = 0.2;

/** Returns the pause after an attempt, in milliseconds; undefined after the last one. */
export function pauseAfter(attempt: number, random = Math.random()): number | undefined {
  const pause = retryPausesMs[attempt - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + jitter * random));
}
