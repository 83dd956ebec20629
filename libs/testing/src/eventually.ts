/**
 * Polls until `look` succeeds and fails with its last error. The interval grows from 20 ms to 250 ms, because polling
 * fifty times a second slowed down what was waited for.
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
