import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../kit/api/call.ts';
import { readMessages } from './message.calls.ts';

/** Returns the actions that both tables share. */
export function useMessages() {
  const client = useQueryClient();
  const renew = (done: Promise<unknown>) =>
    void done.then(
      () => client.invalidateQueries({ queryKey: ['message'] }),
      () => {},
    );
  return { renew, mark: (ids: string[]) => renew(call(readMessages, { body: ids })) };
}
