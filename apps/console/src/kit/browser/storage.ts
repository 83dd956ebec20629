/**
 * Browser storage (SHELL-12): every key has the product's prefix, every value its type and time of writing. Without
 * storage the console still works and remembers nothing.
 */
const prefix = 'carillon-';
interface Kept {
  type: string;
  value: unknown;
  time: number;
}

export function recall<T>(key: string, area: Storage = localStorage): T | undefined {
  try {
    const kept = JSON.parse(area.getItem(prefix + key) ?? 'null') as Kept | null;
    return kept === null ? undefined : (kept.value as T);
  } catch {
    return undefined;
  }
}

/** Stores a value; `undefined` removes the key. */
export function keep(key: string, value: unknown, area: Storage = localStorage): void {
  try {
    if (value === undefined) area.removeItem(prefix + key);
    else
      area.setItem(
        prefix + key,
        JSON.stringify({ type: Array.isArray(value) ? 'array' : typeof value, value, time: Date.now() } satisfies Kept),
      );
  } catch {
    /* Private mode or full storage: nothing is remembered. */
  }
}

/** Removes the keys (without prefix) that `which` selects. */
export function forget(which: (key: string) => boolean, area: Storage = localStorage): void {
  try {
    for (const key of Object.keys(area))
      if (key.startsWith(prefix) && which(key.slice(prefix.length))) area.removeItem(key);
  } catch {
    /* Nothing is remembered. */
  }
}

/** Calls back when another tab writes the key; returns a function that removes the listener. */
export function onKept(key: string, onChange: () => void): () => void {
  const listen = (e: StorageEvent) => {
    if (e.key === prefix + key) onChange();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
