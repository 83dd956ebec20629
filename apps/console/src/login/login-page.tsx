import { useEffect, useState, type SubmitEvent } from 'react';
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useText } from '../text/use-text.ts';
import { logIn, LoginError } from '../session/session.ts';
import { knownSettings, settings } from '../session/settings.ts';
import { FieldError } from '../part/field-error.tsx';
import { Mark } from '../part/mark.tsx';
import { useTitle } from '../part/use-title.ts';
import { Bars } from './bars.tsx';
import { LoginChoices } from './login-choices.tsx';
import css from './login-page.module.css';

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
  const [refusal, setRefusal] = useState<{ text: string; requestId?: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const [product, setProduct] = useState(knownSettings());
  useTitle(t('login.title'));
  useEffect(() => { settings().then(setProduct, () => {}); }, []);

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
    <div className={css.page}>
      <Bars />
      <LoginChoices />
      <main className={css.middle}>
        <form className={css.card} onSubmit={(e) => void submit(e)} noValidate aria-labelledby="login-title">
          <p className={css.brand}><Mark size={28} /><span>{product?.productName ?? 'Carillon'}</span></p>
          <h1 id="login-title" className={css.title}>{t('login.title')}</h1>
          <TextInput name="name" size="md" label={t('login.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus
            error={fault('name') && name.trim() === '' && <FieldError text={t('login.nameMissing')} />} />
          <PasswordInput name="password" size="md" label={t('login.password')} value={password} onChange={(e) => setPassword(e.currentTarget.value)} autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0, 'aria-hidden': false }}
            error={fault('password') && password === '' && <FieldError text={t('login.passwordMissing')} />} />
          <Checkbox name="agreement" checked={agreed} onChange={(e) => setAgreed(e.currentTarget.checked)} label={t('login.agreement')} error={fault('agreement') && !agreed && <FieldError text={t('login.agreementMissing')} />} />
          {refusal && (
            <div role="alert" className={css.refusal}>
              <FieldError text={refusal.text} />
              {refusal.requestId && <span className={css.request}>{t('common.request', { id: refusal.requestId })}</span>}
            </div>
          )}
          <Button type="submit" size="md" fullWidth loading={busy}>{t('login.submit')}</Button>
        </form>
      </main>
      <footer className={css.foot}>{t('login.copyright', { year: 2026, product: product?.productName ?? 'Carillon' })}</footer>
    </div>
  );
}
