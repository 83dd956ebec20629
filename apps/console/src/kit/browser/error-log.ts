import { useSyncExternalStore } from 'react';
import type { reportErrors } from '@carillon/contracts';
import { keep, recall } from './storage.ts';

/** An error recorded by this browser (SYS-05). Kept until it is reported. */
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
/** The call accepts 64 KB: a single entry always fits. */
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

/** Returns an address without its query, which may contain personal data. */
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
  // Repetitions of the same error count once.
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

/** Reports the entries in parts and deletes those that arrived. `ask` makes the call with the session's headers. */
export async function sendErrors(ask: (path: string, body: Body) => Promise<boolean>): Promise<boolean> {
  while (entries.length > 0) {
    const part = firstOf(entries);
    if (!(await ask(path, { logs: [...part] }))) return false;
    set(entries.filter((e) => !part.includes(e)));
  }
  return true;
}

/** Records errors of the page. */
export function startErrorLog(): void {
  addEventListener('error', (e) => {
    if (e.error !== undefined || e.message)
      noteError('error', e.error ?? e.message, e.filename ? plain(e.filename) : '');
  });
  addEventListener('unhandledrejection', (e) => {
    // A refused call is shown to the user; it is not an error of the page.
    if (
      (e.reason as { name?: string } | null)?.name === 'CallError' ||
      (e.reason as { name?: string } | null)?.name === 'AbortError'
    )
      return;
    noteError('rejection', e.reason);
  });
}
