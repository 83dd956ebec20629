import { createElement, useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { awaitChunk } from '../browser/chunk.ts';

/**
 * Returns a component whose code is loaded when it is first rendered. Until then it renders its property `meanwhile`,
 * or nothing. React's own `lazy` needs `Suspense`, which shows a part no sooner than 300 ms after its fallback,
 * although most parts load in 20 ms. A part that does not load in time is reported (SHELL-16).
 */
export function lazy<T extends ComponentType<never>>(load: () => Promise<{ default: T }>): T {
  let state: { Part?: T; error?: unknown } = {};
  let loading: Promise<void> | undefined;
  const watchers = new Set<() => void>();
  const begin = async (): Promise<void> => {
    try {
      state = { Part: (await load()).default };
    } catch (error) {
      state = { error };
    }
    watchers.forEach((w) => w());
  };
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    loading ??= begin();
    return () => watchers.delete(watcher);
  };
  function LazyPart({ meanwhile, ...props }: { meanwhile?: ReactNode }) {
    const { Part, error } = useSyncExternalStore(watch, () => state);
    if (error !== undefined) throw error;
    if (Part) return createElement(Part as ComponentType<object>, props);
    return (
      <>
        {meanwhile}
        <Waiting />
      </>
    );
  }
  return LazyPart as unknown as T;
}

function Waiting() {
  useEffect(awaitChunk, []);
  return <span hidden aria-busy="true" />;
}
