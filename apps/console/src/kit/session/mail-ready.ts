import { useEffect, useState } from 'react';
import { remote } from './call.ts';
import { callPublic } from './public-call.ts';

const getMailReady = remote('getMailReady', 'GET /api/f/notification/mail/ready');

/**
 * Whether mails can be sent; undefined until that is known. No link is promised that nobody sends. A call that fails
 * holds up no page: then all is as with a mail server. Pages without a login ask it, which keep nothing of the server.
 */
export function useMailReady(): boolean | undefined {
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
