import { useState } from 'react';
import { refusalOf, type Refusal } from './refusal.ts';

/** Runs the work of a button: `busy` until it has ended, and `refusal`, until `clear`, if the server refused it. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (e) {
      setRefusal(refusalOf(e));
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, run, clear: () => setRefusal(undefined) };
}
