import { inBackground } from '../browser/origin.ts';
import { leaveIdle, session } from './session.ts';
import { settings } from './settings.ts';
import { isLocked } from './lock.ts';
import { keep, onKept, recall } from '../browser/storage.ts';

/**
 * Ends an idle session in the browser too, at once instead of at the next call (AUTH-08). Only user
 * input counts, in any tab.
 */
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const writeMs = 2_000;
const lookMs = 1_000;
let lastSign = Date.now();
let written = 0;
let reportedAt = Date.now();

/** Records a call for the user, which tells the server that they are present. */
export const called = (): void => {
  reportedAt = Date.now();
};

export function startIdle(report: () => Promise<unknown>): void {
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
    // A user who only types or reads is present too: the server, which sees only calls, is told before its own limit.
    if (lastSign > reportedAt && now - reportedAt > limitMs / 6 && !isLocked()) {
      called();
      void report().catch(() => {
        /* The next check tells it. */
      });
    }
  };
  setInterval(() => inBackground(look), lookMs);
  // After a sleep of the machine timers are late.
  document.addEventListener('visibilitychange', look);
}
