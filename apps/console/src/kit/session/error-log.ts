import { useSyncExternalStore } from 'react';
import type { reportErrors } from '@carillon/contracts';
import { keep, recall } from './storage.ts';

/** An error that this browser noted (spec, section 3). Kept until it was handed in. */
export interface ErrorEntry {
  url: string;
  time: string;
  type: string;
  message: string;
  stack: string;
  info: string;
}

const most = 100;
const atOnce = 50;
/** The call takes 64 KB: an entry alone always fits. */
const bytesAtOnce = 60_000;
let entries: readonly ErrorEntry[] = recall<ErrorEntry[]>('error-log') ?? [];
const watchers = new Set<() => void>();
function set(next: readonly ErrorEntry[]): void {
  entries = next;
  keep('error-log', next.length === 0 ? undefined : next);
  watchers.forEach((w) => w());
}
export const useErrorLog = () =>
  useSyncExternalStore(
    (w) => {
      watchers.add(w);
      return () => watchers.delete(w);
    },
    () => entries,
  );

/** Addresses without what follows the question mark: it may name what nobody else should read. */
const plain = (address: string) => address.replace(/[?#].*$/, '').slice(0, 1024);

export function noteError(type: string, error: unknown, info = ''): void {
  const e = error instanceof Error ? error : new Error(typeof error === 'string' ? error : 'unknown');
  const entry: ErrorEntry = {
    url: plain(location.pathname),
    time: new Date().toISOString(),
    type: type.slice(0, 64),
    message: e.message.slice(0, 2048),
    stack: (e.stack ?? '').replaceAll(/[?#][^\s):]*/g, '').slice(0, 8192),
    info: info.slice(0, 2048),
  };
  // The same one again and again is one.
  if (entries.at(-1)?.message === entry.message && entries.at(-1)?.url === entry.url) return;
  set([...entries, entry].slice(-most));
}

type Body = { logs: ErrorEntry[] };
const path: typeof reportErrors.path = '/api/f/notification/errorLog';

function firstOf(all: readonly ErrorEntry[]): ErrorEntry[] {
  const part: ErrorEntry[] = [];
  let bytes = 0;
  for (const entry of all.slice(0, atOnce)) {
    bytes += new TextEncoder().encode(JSON.stringify(entry)).length + 1;
    if (part.length > 0 && bytes > bytesAtOnce) break;
    part.push(entry);
  }
  return part;
}

/**
 * Hands in what is noted, a part at a time; what arrived is forgotten. `ask` makes the call with the session's headers.
 */
export async function sendErrors(ask: (path: string, body: Body) => Promise<boolean>): Promise<boolean> {
  while (entries.length > 0) {
    const part = firstOf(entries);
    if (!(await ask(path, { logs: [...part] }))) return false;
    set(entries.filter((e) => !part.includes(e)));
  }
  return true;
}

/** Hears of what goes wrong in the page. */
export function startErrorLog(): void {
  addEventListener('error', (e) => {
    if (e.error !== undefined || e.message)
      noteError('error', e.error ?? e.message, e.filename ? plain(e.filename) : '');
  });
  addEventListener('unhandledrejection', (e) => {
    // What a call was refused for is told to the person; it is no fault of the page.
    if (
      (e.reason as { name?: string } | null)?.name === 'CallError' ||
      (e.reason as { name?: string } | null)?.name === 'AbortError'
    )
      return;
    noteError('rejection', e.reason);
  });
}
