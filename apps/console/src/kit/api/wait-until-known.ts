const waitMs = 200;
const mostMs = 10_000;

/**
 * Waits until another service knows a new object, which it receives over the bus a moment later and answers with 404
 * until then. Polls `ask` for at most ten seconds; after that the next call shows the error.
 */
export async function waitUntilKnown(id: string, ask: () => Promise<readonly { id: string }[]>): Promise<void> {
  for (const end = Date.now() + mostMs; Date.now() < end && !(await ask()).some((one) => one.id === id);)
    await new Promise((done) => {
      setTimeout(done, waitMs);
    });
}
