const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, '0')).join('');

/**
 * Returns a new trace (W3C Trace Context, version 00, sampled), to which all work of the server for this call belongs,
 * down to the devices.
 */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`;

/** Header of automatic calls, which the server does not count as user activity (AUTH-08). */
export const background = { 'carillon-background': '1' } as const;

let unasked = false;
/** Signals of the query client's fetches, which their retries share. */
const signals = new WeakSet<AbortSignal>();

/** Marks all calls that `work` starts, including their retries, as automatic: after a live change, or for a poll. */
export function inBackground(work: () => unknown): void {
  unasked = true;
  try {
    work();
  } finally {
    unasked = false;
  }
}

/** Returns whether the call that begins now is automatic. */
export function isBackground(signal: AbortSignal | undefined): boolean {
  if (signal === undefined) return unasked;
  if (unasked) signals.add(signal);
  return signals.has(signal);
}
