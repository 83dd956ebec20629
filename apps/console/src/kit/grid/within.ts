/** Within so many ms of now: how far back a log is looked at. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;
export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as Span[];

/** To the minute, so that the same question is asked again. Of several spans the longest holds the others. */
export function fromOf(within: readonly Span[] | undefined): { from?: string } {
  if (within === undefined) return {};
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  return { from: new Date(minute - Math.max(...within.map((s) => spans[s]))).toISOString() };
}
