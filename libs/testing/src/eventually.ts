/** Waits for what has no event to wait for, looking every 20 ms; fails with the last reason. */
export async function eventually<T>(look: () => Promise<T> | T, withinMs = 10_000): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((r) => { setTimeout(r, 20); });
    }
  }
}
