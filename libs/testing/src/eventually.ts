/**
 * Waits for what has no event to wait for; fails with the last reason. It looks again after 20 ms, and the longer it
 * has waited the more seldom, up to a quarter of a second: asked fifty times a second, what is waited for took longer.
 */
export async function eventually<T>(look: () => Promise<T> | T, withinMs = 30_000): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const waited = Date.now() - began;
      if (waited > withinMs) throw error;
      await new Promise((r) => {
        setTimeout(r, Math.min(250, Math.max(20, waited / 10)));
      });
    }
  }
}
