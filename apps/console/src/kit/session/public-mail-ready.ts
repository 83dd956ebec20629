import { useEffect, useState } from 'react';
import { remote } from './call.ts';
import { callPublic } from './public-call.ts';

const getMailReady = remote('getMailReady', 'GET /api/f/notification/mail/ready');

/**
 * As `useMailReady` in mail-ready.ts, for pages without a login, which keep nothing of the server: whether mails can be sent,
 * undefined until that is known.
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
