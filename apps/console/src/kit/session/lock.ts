import { lockPath as lockPage } from '@carillon/contracts/constants';
import { ownPath } from './address.ts';
import { keep, recall } from './storage.ts';

/**
 * The lock flag (spec, section 3: "kept in session storage"). It only tells this tab what to show: the lock itself is
 * the server's, which answers 423 whatever stands here (AUTH-09).
 */
export const isLocked = (): boolean => recall<boolean>('lock', sessionStorage) === true;

/** Another gateway than the one that unlocked may hear of it a moment later. */
const settleMs = 3_000;
let unlockedAt = Number.NEGATIVE_INFINITY;
export const justUnlocked = (): boolean => performance.now() - unlockedAt < settleMs;

const channel = new BroadcastChannel('carillon-lock');

export function setLocked(locked: boolean): void {
  if (locked === isLocked()) return;
  if (!locked) unlockedAt = performance.now();
  keep('lock', locked || undefined, sessionStorage);
}

/** The session is one for all tabs, and so is its lock. */
export function tellTabs(locked: boolean): void {
  channel.postMessage(locked);
}

/** Where the lock screen leads back to. */
export const lockPath = (): string =>
  `${lockPage}?to=${encodeURIComponent(location.pathname === lockPage ? '/' : location.pathname + location.search)}`;

let locking = false;

/**
 * Locks from this tab. What else it asks is refused already before it has its own answer, and it goes to the lock
 * screen with that.
 */
export async function lockHere(work: () => Promise<void>): Promise<void> {
  locking = true;
  try {
    await work();
  } finally {
    locking = false;
  }
}

/** The server says that the session is locked: from here on this tab shows nothing else. */
export function showLock(): void {
  if (locking) return;
  setLocked(true);
  if (location.pathname !== lockPage) location.replace(lockPath());
}

channel.onmessage = (e: MessageEvent<boolean>) => {
  if (e.data) return showLock();
  if (!isLocked()) return;
  setLocked(false);
  location.replace(ownPath(new URLSearchParams(location.search).get('to')) ?? '/');
};
