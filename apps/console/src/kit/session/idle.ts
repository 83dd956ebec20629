import { inBackground } from './origin.ts';
import { leaveIdle, session } from './session.ts';
import { settings } from './settings.ts';
import { isLocked } from './lock.ts';
import { keep, onKept, recall } from './storage.ts';

/**
 * Idle for longer than the limit ends the session here too, at once and not only when the server is asked next (spec,
 * section 4; AUTH-08). What a person does in any tab counts, and nothing else does.
 */
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const writeMs = 2_000;
const lookMs = 1_000;
let lastSign = Date.now();
let written = 0;
let told = Date.now();

/** A call for a person tells the server that he is there. */
export const called = (): void => {
  told = Date.now();
};

export function startIdle(tell: () => Promise<unknown>): void {
  let limitMs = 1_800_000;
  settings().then(
    (s) => {
      limitMs = s.idleSeconds * 1000;
    },
    () => {},
  );
  const sign = () => {
    lastSign = Date.now();
    if (lastSign - written < writeMs) return;
    written = lastSign;
    keep('active', lastSign);
  };
  for (const name of signs) addEventListener(name, sign, { passive: true, capture: true });
  onKept('active', () => {
    lastSign = Math.max(lastSign, recall<number>('active') ?? 0);
  });
  const look = () => {
    if (session() === undefined) return;
    const now = Date.now();
    if (now - lastSign > limitMs) {
      void leaveIdle();
      return;
    }
    // Who only types or reads is there as well: the server, which sees calls alone, is told before its own time is
    // over.
    if (lastSign > told && now - told > limitMs / 6 && !isLocked()) {
      called();
      void tell().catch(() => {
        /* the next look tells */
      });
    }
  };
  setInterval(() => inBackground(look), lookMs);
  // A machine that slept wakes up with timers that are late.
  document.addEventListener('visibilitychange', look);
}
