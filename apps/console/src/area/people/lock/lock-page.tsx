import { useState, type SubmitEvent } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { CardPage, RefusalNote } from '../login/card-page.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { ownPath } from '../../../kit/browser/address.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { setLocked, syncTabs } from '../../../kit/session/lock.ts';
import { keep } from '../../../kit/browser/storage.ts';
import { endSession, session } from '../../../kit/session/session.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';

const route = getRouteApi('/lock');
const unlock = remote('unlockSession', 'POST /api/f/auth/session/unlock');
const logout = remote('logout', 'GET /api/f/auth/oauth/logout');

/** Shown for a locked session, with everything that it may still do (AUTH-09). */
export function LockPage() {
  const { t } = useText();
  const router = useRouter();
  const { to } = route.useSearch();
  const [password, setPassword] = useState('');
  const [empty, setEmpty] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const name = session()?.nickname || session()?.username || '';

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('password') as HTMLInputElement;
    setRefusal(undefined);
    setEmpty(password === '');
    if (password === '') {
      field.focus();
      return;
    }
    setBusy(true);
    try {
      await call(unlock, { body: { password } });
      setLocked(false);
      keep('lockPassword', undefined);
      syncTabs(false);
      const back = ownPath(to);
      router.history.replace(back === undefined || back.startsWith('/lock') ? '/' : back);
    } catch (e) {
      setBusy(false);
      setPassword('');
      field.focus();
      setRefusal(refusalOf(e));
    }
  }
  if (session() === undefined)
    return (
      <CardPage title={t('lock.nobody')} lead={t('lock.nobodyText')}>
        <Button component={Link} to="/login" size="md" fullWidth>
          {t('login.title')}
        </Button>
      </CardPage>
    );
  return (
    <CardPage title={t('lock.title')} lead={t('lock.text', { name })} onSubmit={(e) => void submit(e)}>
      <input type="text" name="username" autoComplete="username" value={session()?.username ?? ''} readOnly hidden />
      <PasswordInput
        name="password"
        size="md"
        label={t('lock.password')}
        value={password}
        onChange={(e) => setPassword(e.currentTarget.value)}
        autoComplete="off"
        autoFocus
        visibilityToggleButtonProps={passwordEye()}
        aria-invalid={empty && password === ''}
        error={empty && password === '' && <FieldError text={t('lock.empty')} />}
      />
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('lock.unlock')}
      </Button>
      <Button
        variant="subtle"
        size="md"
        fullWidth
        onClick={() =>
          void call(logout)
            .catch(() => {})
            .then(endSession)
        }
      >
        {t('shell.logout')}
      </Button>
    </CardPage>
  );
}
