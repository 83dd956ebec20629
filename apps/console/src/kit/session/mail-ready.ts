import { useQuery } from '@tanstack/react-query';
import { call, remote } from './call.ts';

const getMailReady = remote('getMailReady', 'GET /api/f/notification/mail/ready');

/**
 * Whether mails can be sent; undefined until that is known. No link is promised that nobody sends. A call that fails
 * holds up no page: then all is as with a mail server.
 */
export function useMailReady(): boolean | undefined {
  const { data, isError } = useQuery({
    queryKey: ['mailReady'],
    queryFn: ({ signal }) => call(getMailReady, {}, { signal, quiet: true }),
  });
  return isError || data?.ready;
}
