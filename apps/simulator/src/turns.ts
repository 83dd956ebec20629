/** Runs work, at most a number of pieces at the same time, in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns turns of which `atOnce` run at the same time. */
export function turnsOf(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The next one takes over this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
