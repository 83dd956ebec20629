import { useQuery } from '@tanstack/react-query';
import { call, remote } from './call.ts';

const getMailReady = remote('getMailReady', 'GET /api/f/notification/mail/ready');

/**
 * Returns whether mails can be sent, so that no link is promised without a mail server; undefined until known. A failed
 * call blocks no page and counts as yes.
 */
export function useMailReady(): boolean | undefined {
  const { data, isError } = useQuery({
    queryKey: ['mailReady'],
    queryFn: ({ signal }) => call(getMailReady, {}, { signal, quiet: true }),
  });
  return isError || data?.ready;
}
