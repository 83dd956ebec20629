import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react';
import { awaitChunk } from '../session/chunk.ts';

const Meanwhile = createContext<ReactNode>(undefined);

/** Shows `meanwhile` in the place of each `lazy` component inside it until its code is there. */
export const Late = ({ children, meanwhile }: { children: ReactNode; meanwhile?: ReactNode }) => (
  <Meanwhile value={meanwhile}>{children}</Meanwhile>
);

/**
 * Returns a component whose code is loaded when it is first drawn. React's own `lazy` works with `Suspense`, which
 * shows what has come no sooner than 300 ms after its fallback: a dialog that is there after 20 ms would wait for it.
 * A part that does not come in time is reported (SHELL-16).
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
  function LazyPart(props: object) {
    const { Part, error } = useSyncExternalStore(watch, () => state);
    const meanwhile = useContext(Meanwhile);
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
