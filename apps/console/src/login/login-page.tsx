import { useState, type SubmitEvent } from 'react';
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useText } from '../text/use-text.ts';
import { logIn, LoginError } from '../session/session.ts';
import { FieldError } from '../part/field-error.tsx';
import { CardPage, RefusalNote, type Refusal } from './card-page.tsx';

const route = getRouteApi('/login');

type Fault = 'name' | 'password' | 'agreement';

export function LoginPage() {
  const { t } = useText();
  const router = useRouter();
  const { to } = route.useSearch();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found: Fault[] = [...(name.trim() === '' ? ['name' as const] : []), ...(password === '' ? ['password' as const] : []), ...(agreed ? [] : ['agreement' as const])];
    setFaults(found);
    setRefusal(undefined);
    if (found[0] !== undefined) { (event.currentTarget.elements.namedItem(found[0]) as HTMLElement | null)?.focus(); return; }
    setBusy(true);
    try {
      await logIn(name.trim(), password);
      // Only a path of this console: another site's address must not be reached by a link to the login page.
      if (to?.startsWith('/') && !to.startsWith('//')) router.history.replace(to); else await router.navigate({ to: '/wel/home', replace: true });
    } catch (e) {
      setRefusal(e instanceof LoginError ? { text: e.message || t('common.unknownError'), requestId: e.requestId } : { text: t('login.unreachable') });
      setBusy(false);
    }
  }
  const fault = (which: Fault) => faults.includes(which);
  return (
    <CardPage title={t('login.title')} onSubmit={(e) => void submit(e)}>
      <TextInput name="name" size="md" label={t('login.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus
        error={fault('name') && name.trim() === '' && <FieldError text={t('login.nameMissing')} />} />
      <PasswordInput name="password" size="md" label={t('login.password')} value={password} onChange={(e) => setPassword(e.currentTarget.value)} autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0, 'aria-hidden': false }}
        error={fault('password') && password === '' && <FieldError text={t('login.passwordMissing')} />} />
      <Checkbox name="agreement" checked={agreed} onChange={(e) => setAgreed(e.currentTarget.checked)} label={t('login.agreement')} error={fault('agreement') && !agreed && <FieldError text={t('login.agreementMissing')} />} />
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" fullWidth loading={busy}>{t('login.submit')}</Button>
    </CardPage>
  );
}
