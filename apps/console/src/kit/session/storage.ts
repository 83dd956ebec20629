/**
 * What the browser keeps (SHELL-12): every key carries the product's prefix, every value its type and the time it was
 * written. A browser that refuses storage still works, only without memory.
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

/** `undefined` takes the key away. */
export function keep(key: string, value: unknown, area: Storage = localStorage): void {
  try {
    if (value === undefined) area.removeItem(prefix + key);
    else
      area.setItem(
        prefix + key,
        JSON.stringify({ type: Array.isArray(value) ? 'array' : typeof value, value, time: Date.now() } satisfies Kept),
      );
  } catch {
    /* private mode or full: nothing is remembered */
  }
}

/** Takes away what is kept under keys that `which` chooses, without the prefix. */
export function forget(which: (key: string) => boolean, area: Storage = localStorage): void {
  try {
    for (const key of Object.keys(area))
      if (key.startsWith(prefix) && which(key.slice(prefix.length))) area.removeItem(key);
  } catch {
    /* nothing is remembered */
  }
}

/** Calls back when another tab writes the key. */
export function onKept(key: string, told: () => void): () => void {
  const listen = (e: StorageEvent) => {
    if (e.key === prefix + key) told();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
