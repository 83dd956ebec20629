import { useQuery } from '@tanstack/react-query';
import { MailState } from './mail-state.tsx';
import { userMailQuery } from './mail.calls.ts';

/** Shows the state of the last mail to a user; `before` is the id of the mail before the one just requested. */
export function LastMail({ id, before }: { id: string; before?: string | null }) {
  return <MailState mail={useQuery(userMailQuery(id, before)).data} before={before} />;
}
