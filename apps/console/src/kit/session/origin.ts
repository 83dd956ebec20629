const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, '0')).join('');

/**
 * A new trace (W3C Trace Context, version 00, sampled): what the server does for this call, down to the devices,
 * belongs to it.
 */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`;

/** Header of what the console asks by itself. The server does not take it for a person's activity (AUTH-08). */
export const background = { 'carillon-background': '1' } as const;

let unasked = false;
/** Of each fetch of the query client its signal, which its retries share. */
const signals = new WeakSet<AbortSignal>();

/**
 * What `work` calls at once, and every retry of that, is the console's own doing: a change that was heard of, a poll.
 */
export function inBackground(work: () => unknown): void {
  unasked = true;
  try {
    work();
  } finally {
    unasked = false;
  }
}

/** Whether the call that begins now is the console's own doing. */
export function isBackground(signal: AbortSignal | undefined): boolean {
  if (signal === undefined) return unasked;
  if (unasked) signals.add(signal);
  return signals.has(signal);
}
