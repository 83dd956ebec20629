import { useEffect, useState } from 'react';
import { remote } from './call.ts';
import { callPublic } from './public-call.ts';

const getMailReady = remote('getMailReady', 'GET /api/f/notification/mail/ready');

/**
 * Like `useMailReady` in mail-ready.ts, for pages without a login, which store no server data. Returns undefined until
 * known.
 */
export function usePublicMailReady(): boolean | undefined {
  const [ready, setReady] = useState<boolean>();
  useEffect(() => {
    const left = new AbortController();
    callPublic(getMailReady, {}, { signal: left.signal }).then(
      (answer) => setReady(answer.ready),
      () => {
        if (!left.signal.aborted) setReady(true);
      },
    );
    return () => left.abort();
  }, []);
  return ready;
}
