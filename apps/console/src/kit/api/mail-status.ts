import { useEffect, useState } from 'react';
import { remote } from './call.ts';
import { callPublic } from './public-call.ts';

const getMailStatus = remote('getMailStatus', 'GET /api/f/notification/mail/status/{id}');
/** A mail leaves within seconds. Otherwise its server is down, so that an office of waiting users asks less often. */
const [soonMs, soonTimes, laterMs] = [2_000, 10, 15_000];

/** Follows a mail until it was sent or given up, for pages without a login. Returns undefined for a mail without id. */
export function useMailStatus(id: string | undefined): 'waiting' | 'retrying' | 'sent' | 'failed' | undefined {
  const [known, setKnown] = useState<{ id: string; status: 'waiting' | 'retrying' | 'sent' | 'failed' }>();
  useEffect(() => {
    if (id === undefined) return undefined;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let asked = 0;
    const look = async (): Promise<void> => {
      const answer = await callPublic(getMailStatus, { params: { id } }, { signal: left.signal }).catch(
        () => undefined,
      );
      if (left.signal.aborted) return;
      if (answer) setKnown({ id, status: answer.retrying ? 'retrying' : answer.status });
      if (answer?.status !== 'sent' && answer?.status !== 'failed')
        timer = setTimeout(() => void look(), ++asked < soonTimes ? soonMs : laterMs);
    };
    void look();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [id]);
  if (id === undefined) return undefined;
  return known?.id === id ? known.status : 'waiting';
}
