import { useSyncExternalStore } from 'react';
import { noteError } from './error-log.ts';
import { keep, recall } from './storage.ts';

/** A part of the console that does not load within this time has failed (SHELL-16). */
const patience = 120_000;

let failed = false;
const watchers = new Set<() => void>();

/** Reports that a part of the console could not be loaded; only a reload helps. */
function fail(why: unknown): void {
  if (failed) return;
  failed = true;
  noteError('chunk', why);
  watchers.forEach((w) => w());
}
export const useChunkFailed = () =>
  useSyncExternalStore(
    (w) => {
      watchers.add(w);
      return () => watchers.delete(w);
    },
    () => failed,
  );

/** Starts to wait for parts of the console; the returned function ends it. */
export function awaitChunk(): () => void {
  const timer = setTimeout(() => fail(new Error(`a part of the page did not come in ${patience / 1000} s`)), patience);
  return () => clearTimeout(timer);
}

/**
 * Handles parts of a build that is no longer served: reloads the page once to get the current build. If that did not
 * help, or the server is down and a reload would lose the page, reports it to the user.
 */
export function startChunkWatch(): void {
  addEventListener('vite:preloadError', (e) => {
    void (async () => {
      const why = (e as Event & { payload?: unknown }).payload;
      if (recall<boolean>('reloaded', sessionStorage) || !(await isServed())) return fail(why);
      keep('reloaded', true, sessionStorage);
      location.reload();
    })();
  });
}
const isServed = (): Promise<boolean> =>
  fetch('/carillon.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
