import { useEffect, useEffectEvent, useState } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import type { RouteOutput, checkLink as Check } from '@carillon/contracts';
import { CardPage, RefusalNote } from '../login/card-page.tsx';
import { PasswordField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { isCallError } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  activateByLink,
  activateByPassword,
  callPublic,
  checkLink,
  confirmEmail,
  linkToken,
  resetPassword,
} from './account.calls.ts';
import { ChosenPassword, DonePage, ExpiredPage, useChosenFaults } from './account-parts.tsx';

type Kind = 'activation' | 'passwordReset' | 'emailChange';
type State = { at: 'asking' } | { at: 'good'; of: RouteOutput<typeof Check> } | { at: 'bad'; text: string };

/** Checks the link of this page before the user fills in a form. */
function useLink(kind: Kind): { token: string; state: State; bad: (error: unknown) => boolean } {
  const { t } = useText();
  const [token] = useState(linkToken);
  const [state, setState] = useState<State>({ at: 'asking' });
  const bad = (error: unknown) => {
    const isKnown = isCallError(error) && error.error?.startsWith('link.');
    if (isKnown) setState({ at: 'bad', text: error.message });
    return isKnown === true;
  };
  const checkToken = useEffectEvent(() => {
    if (token === '') {
      setState({ at: 'bad', text: t(`account.${kind}Invalid`) });
      return;
    }
    callPublic(checkLink, { body: { kind, token } }).then(
      (found) => setState({ at: 'good', of: found }),
      (e: unknown) => {
        if (!bad(e)) setState({ at: 'bad', text: isCallError(e) && e.message ? e.message : t('common.unreachable') });
      },
    );
  });
  useEffect(() => checkToken(), []);
  return { token, state, bad };
}

/** The target of a link for a forgotten password (AUTH-10). */
export function ResetPasswordPage() {
  const { t } = useText();
  const router = useRouter();
  const { token, state, bad } = useLink('passwordReset');
  const form = useForm({ newPassword: '', confirmation: '' });
  const faults = useChosenFaults();
  if (state.at === 'bad')
    return (
      <ExpiredPage
        title={t('account.linkInvalid')}
        text={state.text}
        to="/forgetPassword"
        action={t('account.newLink')}
      />
    );
  if (state.at === 'asking')
    return (
      <CardPage title={t('account.choose')}>
        <p aria-busy="true">{t('account.checking')}</p>
      </CardPage>
    );
  return (
    <CardPage
      title={t('account.choose')}
      lead={t('account.chooseFor', { name: state.of.username })}
      onSubmit={form.submit(
        () => faults(form.values, [state.of.username, state.of.email]),
        async () => {
          try {
            await callPublic(resetPassword, { body: { token, ...form.values } });
          } catch (e) {
            if (bad(e)) return;
            throw e;
          }
          await router.navigate({ to: '/resetPassSuccess', replace: true });
        },
      )}
    >
      <input type="text" name="username" autoComplete="username" value={state.of.username} readOnly hidden />
      <ChosenPassword {...form} names={[state.of.username, state.of.email]} autoFocus />
      <RefusalNote refusal={form.refusal} />
      <Button type="submit" size="md" fullWidth loading={form.busy}>
        {t('password.save')}
      </Button>
    </CardPage>
  );
}

export function ResetPasswordDonePage() {
  const { t } = useText();
  return <DonePage title={t('account.passwordSet')} text={t('account.passwordSetText')} />;
}

/** For a user who is logged in: their own session continues with the new password. */
export function OwnPasswordSetPage() {
  const { t } = useText();
  return (
    <CardPage title={t('account.ownPasswordSet')} lead={t('account.ownPasswordSetText')}>
      <Button component={Link} to="/wel/home" replace size="md" fullWidth>
        {t('account.toHome')}
      </Button>
      <Button component={Link} to="/info" variant="subtle" size="md" fullWidth>
        {t('account.toInfo')}
      </Button>
    </CardPage>
  );
}

/** The target of a link to a new address (AUTH-11). Confirmed by a button, because mail scanners open links too. */
export function ConfirmEmailPage() {
  const { t } = useText();
  const { token, state, bad } = useLink('emailChange');
  const form = useForm({});
  const [email, setEmail] = useState<string>();
  if (email !== undefined)
    return <DonePage title={t('account.emailSet')} text={t('account.emailSetText', { email })} />;
  if (state.at === 'bad')
    return <ExpiredPage title={t('account.linkInvalid')} text={state.text} to="/login" action={t('account.toLogin')} />;
  if (state.at === 'asking')
    return (
      <CardPage title={t('account.confirmEmail')}>
        <p aria-busy="true">{t('account.checking')}</p>
      </CardPage>
    );
  return (
    <CardPage
      title={t('account.confirmEmail')}
      lead={t('account.confirmEmailLead', { name: state.of.username, email: state.of.email ?? '' })}
      onSubmit={form.submit(
        () => ({}),
        async () => {
          try {
            setEmail((await callPublic(confirmEmail, { body: { token } })).email);
          } catch (e) {
            if (!bad(e)) throw e;
          }
        },
      )}
    >
      <RefusalNote refusal={form.refusal} />
      <Button type="submit" size="md" fullWidth loading={form.busy} autoFocus>
        {t('account.confirmEmail')}
      </Button>
    </CardPage>
  );
}

/** Activates an account (AUTH-12) by a mailed link, or by the first password that an administrator passed on. */
export function ActivationPage() {
  const [byLink] = useState(() => linkToken() !== '');
  const [done, setDone] = useState(false);
  const { t } = useText();
  if (done) return <DonePage title={t('account.activated')} text={t('account.activatedText')} />;
  return byLink ? (
    <ActivationByLink onDone={() => setDone(true)} />
  ) : (
    <ActivationByPassword onDone={() => setDone(true)} />
  );
}

function ActivationByLink({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const { token, state, bad } = useLink('activation');
  const form = useForm({ newPassword: '', confirmation: '' });
  const faults = useChosenFaults();
  if (state.at === 'bad')
    return (
      <ExpiredPage
        title={t('account.linkInvalid')}
        text={state.text}
        to="/forgetPassword"
        action={t('account.newLink')}
      />
    );
  if (state.at === 'asking')
    return (
      <CardPage title={t('account.activate')}>
        <p aria-busy="true">{t('account.checking')}</p>
      </CardPage>
    );
  return (
    <CardPage
      title={t('account.activate')}
      lead={t('account.activateFor', { name: state.of.username })}
      onSubmit={form.submit(
        () => faults(form.values, [state.of.username, state.of.email]),
        async () => {
          try {
            await callPublic(activateByLink, { body: { token, ...form.values } });
            onDone();
          } catch (e) {
            if (!bad(e)) throw e;
          }
        },
      )}
    >
      <input type="text" name="username" autoComplete="username" value={state.of.username} readOnly hidden />
      <ChosenPassword {...form} names={[state.of.username, state.of.email]} autoFocus />
      <RefusalNote refusal={form.refusal} />
      <Button type="submit" size="md" fullWidth loading={form.busy}>
        {t('account.activate')}
      </Button>
    </CardPage>
  );
}

function ActivationByPassword({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const form = useForm({ username: '', password: '', newPassword: '', confirmation: '' });
  const { values, set, fault } = form;
  const faults = useChosenFaults();
  const check = () => ({
    ...(values.username.trim() === '' ? { username: t('login.nameMissing') } : {}),
    ...(values.password === '' ? { password: t('login.passwordMissing') } : {}),
    ...faults(values, [values.username]),
    ...(values.newPassword !== '' && values.newPassword === values.password ? { newPassword: t('password.same') } : {}),
  });
  return (
    <CardPage
      title={t('account.activate')}
      lead={t('account.activateByPassword')}
      onSubmit={form.submit(check, async () => {
        await callPublic(activateByPassword, { body: { ...values, username: values.username.trim() } });
        onDone();
      })}
    >
      <SegmentedControl
        aria-label={t('user.activation')}
        value="password"
        onChange={(v) => {
          if (v === 'email') void router.navigate({ to: '/forgetPassword' });
        }}
        data={[
          { value: 'password', label: t('user.byPassword') },
          { value: 'email', label: t('user.byEmail') },
        ]}
      />
      <TextField
        form={form}
        name="username"
        size="md"
        label={t('login.name')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordField
        form={form}
        name="password"
        size="md"
        label={t('user.firstPassword')}
        autoComplete="current-password"
      />
      <ChosenPassword values={values} names={[values.username]} set={set} fault={fault} />
      <RefusalNote refusal={form.refusal} />
      <Button type="submit" size="md" fullWidth loading={form.busy}>
        {t('account.activate')}
      </Button>
    </CardPage>
  );
}
