import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { firstAccessKey } from './first-access.calls.ts';

/** Runs changes of first accesses one at a time, and loads what is shown again. */
export function useChange() {
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState<string>();
  const change = async (name: string, run: () => Promise<unknown>) => {
    setBusy(name);
    setRefusal(undefined);
    try {
      await run();
    } catch (e) {
      setRefusal(refusalOf(e));
    }
    await client.invalidateQueries({ queryKey: firstAccessKey });
    setBusy(undefined);
  };
  return { refusal, busy, change };
}
