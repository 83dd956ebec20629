import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type SubmitEvent } from 'react';
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { getRouteApi, useRouter, Link } from '@tanstack/react-router';
import { lazy } from '../../../kit/part/lazy.tsx';
import { linkTexts } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { listOidcProviders, OidcRefusal, RouteOutput, showCaptcha, startOidc } from '@carillon/contracts';
import { ownPath } from '../../../kit/browser/address.ts';
import { ask } from '../../../kit/api/ask.ts';
import { logIn, LoginError, takeUpSession, type SecondStep } from '../../../kit/session/session.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import css from './login-page.module.css';
import { CardPage, RefusalNote } from './card-page.tsx';
import type { Refusal } from '../../../kit/part/refusal.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';

const CaptchaField = lazy(async () => {
  await linkTexts();
  return import('./captcha-field.tsx');
});
const SecondStepPage = lazy(async () => {
  await linkTexts();
  return import('./second-step.tsx');
});

const route = getRouteApi('/login');
const captchaPath: typeof showCaptcha.path = '/api/f/auth/oauth/showCaptcha';
const providersPath: typeof listOidcProviders.path = '/api/f/auth/oidc/list';
const startPath: typeof startOidc.path = '/api/f/auth/oidc/start';

type Fault = 'name' | 'password' | 'captcha' | 'agreement';

type Provider = RouteOutput<typeof listOidcProviders>[number];

/** Logs in by name and password, or takes up the session of a provider, and continues where the user wanted to go. */
function useLogin() {
  const { t } = useText();
  const router = useRouter();
  const { to, signedIn, refused: reason } = route.useSearch();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(signedIn === '1');
  const [providers, setProviders] = useState<readonly Provider[]>([]);

  /** Counts used captchas; undefined while none is required. */
  const [captcha, setCaptcha] = useState<number>();
  const answer = useRef<{ key: string; code: string }>(undefined);
  const [second, setSecond] = useState<SecondStep>();

  async function look(typed: string) {
    const needed = await ask<boolean>('GET', `${captchaPath}?username=${encodeURIComponent(typed)}`).catch(() => false);
    if (needed) setCaptcha((c) => c ?? 0);
  }
  const enter = () => {
    const path = ownPath(to);
    if (path !== undefined) router.history.replace(path);
    else void router.navigate({ to: '/wel/home', replace: true });
  };
  const begin = useEffectEvent(() => {
    // Texts that only a login by a provider needs are not part of the first load.
    const refuse = (why: OidcRefusal) => void linkTexts().then(() => setRefusal({ text: t(`third.${why}`) }));
    if (signedIn === '1') {
      takeUpSession().then(enter, () => {
        setBusy(false);
        refuse('failed');
      });
      return;
    }
    if (reason) refuse(reason);
    void look('');
    ask<Provider[]>('GET', providersPath)
      .then(async (all) => {
        if (all[0]) {
          await linkTexts();
          setProviders(all);
        }
      })
      .catch(() => {});
  });
  useEffect(() => begin(), []);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found: Fault[] = [
      ...(name.trim() === '' ? ['name' as const] : []),
      ...(password === '' ? ['password' as const] : []),
      ...(captcha !== undefined && answer.current === undefined ? ['captcha' as const] : []),
      ...(agreed ? [] : ['agreement' as const]),
    ];
    setFaults(found);
    setRefusal(undefined);
    if (found[0] !== undefined) {
      (event.currentTarget.elements.namedItem(found[0]) as HTMLElement | null)?.focus();
      return;
    }
    setBusy(true);
    try {
      await logIn(name.trim(), password, answer.current);
      enter();
    } catch (e) {
      setBusy(false);
      const refused = e instanceof LoginError ? e : undefined;
      if (captcha !== undefined) setCaptcha(captcha + 1);
      if (refused?.second) {
        setSecond(refused.second);
        return;
      }
      if (refused?.error?.startsWith('auth.captcha')) setCaptcha((c) => c ?? 0);
      else if (refused) void look(name.trim());
      setRefusal(
        refused
          ? { text: refused.message || t('common.unknownError'), requestId: refused.requestId }
          : { text: t('login.unreachable') },
      );
    }
  }
  /** Returns from the second step to an empty password. */
  const back = (message?: Refusal) => {
    setSecond(undefined);
    setPassword('');
    setRefusal(message);
  };
  return {
    ...{ name, setName, password, setPassword, agreed, setAgreed, captcha, answer, second, providers },
    ...{ fault: (which: Fault) => faults.includes(which), setFaults, refusal, busy, look, enter, submit, back },
  };
}

export function LoginPage() {
  const { t } = useText();
  const { name, setName, password, setPassword, agreed, setAgreed, captcha, answer, second, ...login } = useLogin();
  const { fault } = login;
  if (second) return <SecondStepPage step={second} onDone={login.enter} onBack={login.back} />;
  return (
    <CardPage title={t('login.title')} onSubmit={(e) => void login.submit(e)}>
      <TextInput
        name="name"
        size="md"
        label={t('login.name')}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
        onBlur={() => {
          if (name.trim() !== '') void login.look(name.trim());
        }}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        error={fault('name') && name.trim() === '' && <FieldError text={t('login.nameMissing')} />}
      />
      <PasswordInput
        name="password"
        size="md"
        label={t('login.password')}
        value={password}
        onChange={(e) => setPassword(e.currentTarget.value)}
        autoComplete="current-password"
        visibilityToggleButtonProps={passwordEye()}
        aria-invalid={fault('password') && password === ''}
        error={fault('password') && password === '' && <FieldError text={t('login.passwordMissing')} />}
      />
      {captcha !== undefined && (
        <CaptchaField
          round={captcha}
          missing={fault('captcha')}
          onAnswer={(given) => {
            answer.current = given;
          }}
        />
      )}
      <Checkbox
        name="agreement"
        checked={agreed}
        onChange={(e) => setAgreed(e.currentTarget.checked)}
        label={t('login.agreement')}
        error={fault('agreement') && !agreed && <FieldError text={t('login.agreementMissing')} />}
      />
      <p className={css.ways}>
        <a href="/terms" target="_blank">
          {t('login.terms')}
        </a>
        <a href="/privacy" target="_blank">
          {t('login.privacy')}
        </a>
      </p>
      <RefusalNote refusal={login.refusal} />
      <Button type="submit" size="md" fullWidth loading={login.busy}>
        {t('login.submit')}
      </Button>
      <p className={css.ways}>
        <Link to="/forgetPassword">{t('login.forgot')}</Link>
        <Link to="/system/activeUser">{t('login.activate')}</Link>
      </p>
      {login.providers.length > 0 && (
        <Providers
          providers={login.providers}
          onLeave={(e) => {
            if (agreed) return;
            e.preventDefault();
            login.setFaults(['agreement']);
            document.querySelector<HTMLElement>('[name=agreement]')?.focus();
          }}
        />
      )}
    </CardPage>
  );
}

/** Offers to log in by the providers. `onLeave` is called before the browser leaves the page, and can prevent it. */
function Providers({ providers, onLeave }: { providers: readonly Provider[]; onLeave: (e: MouseEvent) => void }) {
  const { t } = useText();
  const { to } = route.useSearch();
  return (
    <div className={css.third} role="group" aria-label={t('third.title')}>
      <p className={css.or}>{t('third.or')}</p>
      {providers.map((p) => (
        <Button
          key={p.id}
          component="a"
          variant="default"
          size="md"
          fullWidth
          href={`${startPath}?${new URLSearchParams({ provider: p.id, ...(to ? { to } : {}) })}`}
          onClick={onLeave}
        >
          {t('third.with', { name: p.name })}
        </Button>
      ))}
    </div>
  );
}
