import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { UserRecord } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import type { Target } from '../grid/selection.ts';
import { AskDialog } from '../part/ask-dialog.tsx';
import { call } from '../session/call.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { FirstPassword } from './first-password.tsx';
import { deleteUsers, disableUsers, enableUsers, matchingUsers, resendActivation, unlockUsers, type UserFilter } from './user.calls.ts';

export interface UserRequest { key: 'enable' | 'disable' | 'unlock' | 'resend' | 'delete'; target: Target<UserFilter>; count: number; user?: UserRecord; own?: boolean }

/** So many users are changed by one call. */
const atOnce = 100;

/** Names the effect and whom it meets before anything is changed. */
export function UserAction({ request, onClose }: { request: UserRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const { key, user } = request;
  const byPassword = key === 'resend' && user?.activation === 'password';
  async function run() {
    if (key === 'resend') {
      await call(resendActivation, { body: { id: user!.id, ...(byPassword ? { password } : {}) } });
    } else {
      const ids = await matchingUsers(request.target);
      for (let at = 0; at < ids.length; at += atOnce) {
        const part = ids.slice(at, at + atOnce);
        if (key === 'delete') await call(deleteUsers, { query: { ids: part } });
        else await call({ enable: enableUsers, disable: disableUsers, unlock: unlockUsers }[key], { body: { ids: part } });
      }
    }
    await client.invalidateQueries({ queryKey: ['user'] });
  }
  const title = user ? t(`userAction.${key}One`, { name: user.username }) : t(`userAction.${key as 'delete'}Many`, { count: request.count, number: count(request.count) });
  return (
    <AskDialog title={title} text={t(byPassword ? 'userAction.resendPasswordText' : `userAction.${key}Text`, { email: user?.email ?? '–' })} confirm={t(`userAction.${key}`)} check={() => (byPassword && missingParts(password).length > 0 ? t('password.rule') : undefined)} onConfirm={run} onClose={onClose}>
      {byPassword && <FirstPassword value={password} onValue={setPassword} />}
    </AskDialog>
  );
}
