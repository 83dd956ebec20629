const waitMs = 200;
const mostMs = 10_000;

/**
 * What one service has made, the others hear of by the bus a moment later: until then they know of no such object
 * (404). Waits until whoever is asked names it, and no longer than ten seconds: then the next answer tells.
 */
export async function known(id: string, ask: () => Promise<readonly { id: string }[]>): Promise<void> {
  for (const end = Date.now() + mostMs; Date.now() < end && !(await ask()).some((one) => one.id === id);)
    await new Promise((done) => {
      setTimeout(done, waitMs);
    });
}
