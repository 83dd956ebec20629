import { useSyncExternalStore } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import { noticePollMs } from '@carillon/contracts/constants';
import type { LiveKind, streamLive } from '@carillon/contracts';
import { background, inBackground, newTraceparent } from '../browser/origin.ts';
import { lockTabs } from '../session/lock.ts';
import { endSession, freshen, headers, leaveCustomer } from '../session/session.ts';
import { readEvents } from './events.ts';

/**
 * Live changes of the company. The tab that holds the lock keeps the stream and forwards it to the others; without a
 * stream every tab polls each minute (SYS-08), and the page shows since when it is stale.
 */
export interface LiveState {
  live: boolean;
  since: number;
}
export interface Change {
  kind: LiveKind;
  ids: string[] | 'many';
}
type TabMessage =
  | { type: 'changed'; change: Change }
  | { type: 'state'; state: LiveState }
  | { type: 'hello' }
  | { type: 'again' };

const path: typeof streamLive.path = '/api/f/gateway/live';
const flushMs = 500;
/** The gateway sends something at least every 20 s; a longer silence means that the connection is broken. */
const silenceMs = 65_000;
/** A stream that opens this late is not part of the page's first load. */
const settleMs = 2_000;

let state: LiveState = { live: true, since: Date.now() };
const watchers = new Set<() => void>();
const changeWatchers = new Set<(change: Change) => void>();
const setState = (next: LiveState) => {
  state = next;
  watchers.forEach((w) => w());
};

export const useLive = (): LiveState =>
  useSyncExternalStore(
    (w) => {
      watchers.add(w);
      return () => watchers.delete(w);
    },
    () => state,
  );
/** Registers a listener for changes; returns a function that removes it. */
export const onChange = (listener: (change: Change) => void) => {
  changeWatchers.add(listener);
  return () => changeWatchers.delete(listener);
};

let reopen = () => {};
/** Reopens the stream, if this tab has it, after another organization was chosen. */
export const reopenLive = (): void => reopen();

/** Starts the live updates; returns a function that stops them. */
export function startLive(client: QueryClient): () => void {
  const channel = new BroadcastChannel('carillon-live');
  const stop = new AbortController();
  const begun = Date.now();
  let leading = false;

  const changed = new Set<string>();
  let flushing: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    flushing = undefined;
    if (changed.size === 0) return;
    for (const kind of changed) {
      // A pending first response may be older than the change and is not requested again: invalidate once more later.
      const early = client
        .getQueryCache()
        .findAll({ queryKey: [kind], type: 'active' })
        .some((q) => q.state.fetchStatus === 'fetching' && q.state.data === undefined);
      if (!early) changed.delete(kind);
      inBackground(() => client.invalidateQueries({ queryKey: [kind], refetchType: 'active' }));
    }
    flushing = setTimeout(flush, flushMs);
  };
  const hear = (change: Change) => {
    changed.add(change.kind);
    // The devices of a task change with its counts, which is the only notification.
    if (change.kind === 'task') changed.add('taskDevice');
    // The user's own menu and permissions, and the selectable organizations.
    if (change.kind === 'menu' || change.kind === 'organization') changed.add('session');
    changeWatchers.forEach((w) => w(change));
    // The first change is shown at once, those of the next half second together.
    flushing ??= setTimeout(flush, 0);
  };
  const again = () =>
    inBackground(() =>
      client.invalidateQueries({ predicate: (q) => q.queryKey[0] !== 'session', refetchType: 'active' }),
    );

  channel.onmessage = (e: MessageEvent<TabMessage>) => {
    if (e.data.type === 'changed') hear(e.data.change);
    else if (e.data.type === 'state') setState(e.data.state);
    else if (e.data.type === 'again') again();
    else if (leading) channel.postMessage({ type: 'state', state } satisfies TabMessage);
  };
  const post = (message: TabMessage) => channel.postMessage(message);
  const announce = (live: boolean) => {
    setState({ live, since: Date.now() });
    post({ type: 'state', state });
  };
  post({ type: 'hello' });

  navigator.locks
    .request('carillon-live', { signal: stop.signal }, async () => {
      leading = true;
      let failures = 0;
      while (!stop.signal.aborted) {
        const silence = new AbortController();
        reopen = () => silence.abort();
        let silent: ReturnType<typeof setTimeout> | undefined;
        const heard = () => {
          clearTimeout(silent);
          silent = setTimeout(() => silence.abort(), silenceMs);
        };
        try {
          await freshen();
          const response = await fetch(path, {
            headers: {
              ...(await headers()),
              ...background,
              traceparent: newTraceparent(),
              accept: 'text/event-stream',
            },
            credentials: 'include',
            signal: AbortSignal.any([stop.signal, silence.signal]),
          });
          if (response.status === 401) {
            endSession();
            return;
          }
          if (response.status === 403) leaveCustomer();
          if (response.status === 423) lockTabs();
          if (!response.ok || response.body === null) throw new Error(`live: ${response.status}`);
          // Changes may have been missed after a gap, or when another tab held the stream until now.
          if (failures > 0 || !state.live || Date.now() - begun > settleMs) {
            again();
            post({ type: 'again' });
          }
          failures = 0;
          announce(true);
          for await (const event of readEvents(response.body, heard)) {
            if (event.event === 'session') {
              if ((JSON.parse(event.data) as { state: string }).state === 'ended') return endSession();
              // Another client locked the session.
              lockTabs();
              break;
            }
            if (event.event !== 'changed') continue;
            const change = JSON.parse(event.data) as Change;
            hear(change);
            post({ type: 'changed', change });
          }
        } catch {
          /* Handled below. */
        } finally {
          clearTimeout(silent);
        }
        if (stop.signal.aborted) return;
        failures += 1;
        if (state.live && failures > 1) announce(false);
        await new Promise((go) =>
          setTimeout(go, failures === 1 ? 200 : Math.min(30_000, 1000 * 2 ** failures) * (0.5 + Math.random() / 2)),
        );
      }
    })
    .catch(() => {
      /* Stopped while it waited for the lock. */
    });

  const poll = setInterval(() => {
    if (!state.live) again();
  }, noticePollMs);
  return () => {
    stop.abort();
    clearInterval(poll);
    clearTimeout(flushing);
    channel.close();
  };
}
