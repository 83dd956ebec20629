import { useRef, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { UserRecord } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import type { Target } from '../../../kit/grid/selection.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { call } from '../../../kit/api/call.ts';
import { done } from '../../../kit/part/done.ts';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { LastMail } from '../mail/last-mail.tsx';
import { userMailQuery } from '../mail/mail.calls.ts';
import { FirstPassword } from './first-password.tsx';
import {
  deleteUsers,
  disableUsers,
  enableUsers,
  matchingUsers,
  resendActivation,
  restoreUsers,
  unlockUsers,
  type UserFilter,
} from './user.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export interface UserRequest {
  key: 'enable' | 'disable' | 'unlock' | 'resend' | 'delete';
  target: Target<UserFilter>;
  count: number;
  user?: UserRecord;
  own?: boolean;
}

const did = {
  enable: { one: 'enabled', many: 'usersEnabled' },
  disable: { one: 'disabled', many: 'usersDisabled' },
  unlock: { one: 'unlocked', many: 'usersUnlocked' },
} as const;

/** The maximum number of users per call. */
const atOnce = 100;
const parts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, n) => ids.slice(n * atOnce, (n + 1) * atOnce));

/** Names the effect and the users before anything is changed. */
export function UserAction({
  request,
  onClose,
  onDeleted,
}: {
  request: UserRequest;
  onClose: () => void;
  /** Called when the users are deleted, so that none stays selected. */ onDeleted: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  /** The mail before the requested one. */
  const [before, setBefore] = useState<string | null>();
  const ordered = useRef(false);
  const { key, user } = request;
  const byPassword = key === 'resend' && user?.activation === 'password';
  const deleted = useDeleted();
  const changed = () => client.invalidateQueries({ queryKey: ['user'] });
  async function remove(ids: readonly string[]) {
    const gone: string[] = [];
    try {
      for (const part of parts(ids)) {
        await call(deleteUsers, { query: { ids: part } });
        gone.push(...part);
      }
    } finally {
      // Also offers the undo for users who were deleted before a failure.
      const left = parts(gone);
      let back = { restored: 0, taken: [] as string[] };
      if (gone.length > 0)
        await deleted(user ? { what: 'user', name: user.username } : { what: 'user', many: gone.length }, async () => {
          for (; left.length > 0; left.shift()) {
            const { restored, taken } = await call(restoreUsers, { body: { ids: left[0]! } });
            back = { restored: back.restored + restored, taken: [...back.taken, ...taken] };
          }
          await changed();
          return back;
        });
    }
  }
  async function run() {
    if (key === 'resend') {
      const last = byPassword ? undefined : await client.fetchQuery(userMailQuery(user!.id));
      await call(resendActivation, { body: { id: user!.id, ...(byPassword ? { password } : {}) } });
      if (!byPassword) {
        ordered.current = true;
        setBefore(last?.id ?? null);
      }
    } else {
      const ids = await matchingUsers(request.target);
      if (key === 'delete') {
        await remove(ids);
        onDeleted();
      } else {
        for (const part of parts(ids))
          await call({ enable: enableUsers, disable: disableUsers, unlock: unlockUsers }[key], { body: { ids: part } });
        await changed();
        await (user ? done(did[key].one, { name: user.username }) : done(did[key].many, { many: ids.length }));
      }
    }
    await changed();
    if (byPassword) await done('password', { name: user.username });
  }
  const title = user
    ? t(`userAction.${key}One`, { name: user.username })
    : t(`userAction.${key as 'delete'}Many`, { count: request.count, number: count(request.count) });
  if (before !== undefined)
    return (
      <Modal opened onClose={onClose} title={title} withCloseButton={false}>
        <LastMail id={user!.id} before={before} />
        <div className={css.buttons}>
          <Button data-autofocus onClick={onClose}>
            {t('common.done')}
          </Button>
        </div>
      </Modal>
    );
  return (
    <AskDialog
      title={title}
      text={t(byPassword ? 'userAction.resendPasswordText' : `userAction.${key}Text`, {
        email: user?.email ?? '–',
        count: request.count,
      })}
      danger={key === 'delete' || key === 'disable'}
      check={() =>
        byPassword && missingParts(password, [user?.username, user?.email]).length > 0 ? t('password.rule') : undefined
      }
      onConfirm={run}
      onClose={() => {
        if (!ordered.current) onClose();
      }}
    >
      {byPassword && <FirstPassword value={password} names={[user?.username, user?.email]} onValue={setPassword} />}
    </AskDialog>
  );
}
