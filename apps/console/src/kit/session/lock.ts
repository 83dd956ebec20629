import { lockPath as lockPage } from '@carillon/contracts/constants';
import { ownPath } from '../browser/address.ts';
import { keep, recall } from '../browser/storage.ts';

/**
 * Returns the lock flag (AUTH-09). It only decides what this tab shows: the server
 * holds the lock, and answers 423 whatever the flag (AUTH-09).
 */
export const isLocked = (): boolean => recall<boolean>('lock', sessionStorage) === true;

/** Another gateway may receive the unlock a moment later. */
const settleMs = 3_000;
let unlockedAt = Number.NEGATIVE_INFINITY;
export const justUnlocked = (): boolean => performance.now() - unlockedAt < settleMs;

const channel = new BroadcastChannel('carillon-lock');

export function setLocked(locked: boolean): void {
  if (locked === isLocked()) return;
  if (!locked) unlockedAt = performance.now();
  keep('lock', locked || undefined, sessionStorage);
}

/** Informs the other tabs, which share the session and its lock. */
export function syncTabs(locked: boolean): void {
  channel.postMessage(locked);
}

/** Returns the address of the lock screen, which leads back to the current page. */
export const lockPath = (): string =>
  `${lockPage}?to=${encodeURIComponent(location.pathname === lockPage ? '/' : location.pathname + location.search)}`;

let locking = false;

/**
 * Locks from this tab. Other calls of this tab may be refused before the lock call is answered; the tab goes to the
 * lock screen only after that.
 */
export async function lockHere(work: () => Promise<void>): Promise<void> {
  locking = true;
  try {
    await work();
  } finally {
    locking = false;
  }
}

/** Shows the lock screen, because the server reports that the session is locked. */
export function showLock(): void {
  if (locking) return;
  setLocked(true);
  if (location.pathname !== lockPage) location.replace(lockPath());
}

/** Shows the lock screen in every tab. A tab that unlocked a moment ago hears of the former lock too late. */
export function lockTabs(): void {
  if (justUnlocked()) return;
  syncTabs(true);
  showLock();
}

channel.onmessage = (e: MessageEvent<boolean>) => {
  if (e.data) return showLock();
  if (!isLocked()) return;
  setLocked(false);
  location.replace(ownPath(new URLSearchParams(location.search).get('to')) ?? '/');
};
