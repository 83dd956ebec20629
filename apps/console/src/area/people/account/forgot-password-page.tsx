import { useState } from 'react';
import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { CardPage, RefusalNote } from '../login/card-page.tsx';
import { TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { usePublicMailReady } from '../../../kit/api/public-mail-ready.ts';
import { keep, recall } from '../../../kit/browser/storage.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { callPublic, forgotPassword, resendForgotPassword } from './account.calls.ts';
import { ExpiredPage, useCountdown } from './account-parts.tsx';

/** What the next page needs to send the mail again; stored for this tab only. */
interface Sent {
  ticket: string;
  again: number;
  until: number;
}
const keepSent = (
  sent: { ticket: string; resendSeconds: number; resendMinutes: number },
  until = Date.now() + sent.resendMinutes * 60_000,
) =>
  keep(
    'forgotten',
    { ticket: sent.ticket, again: Date.now() + sent.resendSeconds * 1000, until } satisfies Sent,
    sessionStorage,
  );

/** Asks for email or user name (AUTH-10). The answer is the same whether or not the account exists. */
export function ForgotPasswordPage() {
  const { t } = useText();
  const router = useRouter();
  const ready = usePublicMailReady();
  const form = useForm({ name: '' });
  const { values, refusal, busy } = form;
  if (ready === false)
    return (
      <ExpiredPage
        title={t('account.noMail')}
        text={t('account.noMailText')}
        to="/login"
        action={t('account.toLogin')}
      />
    );
  return (
    <CardPage
      title={t('account.forgot')}
      lead={t('account.forgotLead')}
      onSubmit={form.submit(
        () => (values.name.trim() === '' ? { name: t('login.nameMissing') } : {}),
        async () => {
          keepSent(await callPublic(forgotPassword, { body: { name: values.name.trim() } }));
          await router.navigate({ to: '/forgetPasswordActive' });
        },
      )}
    >
      <TextField
        form={form}
        name="name"
        size="md"
        label={t('login.name')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('account.sendLink')}
      </Button>
      <Button component={Link} to="/login" variant="subtle" size="md" fullWidth>
        {t('account.toLogin')}
      </Button>
    </CardPage>
  );
}

/** Tells that the mail is sent. The button for sending it again waits a minute and expires after half an hour. */
export function ForgotPasswordSentPage() {
  const { t } = useText();
  const [sent, setSent] = useState(() => recall<Sent>('forgotten', sessionStorage));
  const [again, setAgain] = useState(false);
  const form = useForm({});
  const { refusal, busy } = form;
  const left = useCountdown(sent?.again ?? 0);
  const over = useCountdown(sent?.until ?? 0) === 0;
  if (sent === undefined || over)
    return (
      <ExpiredPage
        title={t('account.pageExpired')}
        text={t(sent === undefined ? 'account.pageExpiredText' : 'account.resendExpired')}
        to="/forgetPassword"
        action={t('account.beginAgain')}
      />
    );
  return (
    <CardPage
      title={t('account.mailSent')}
      lead={t('account.mailSentLead')}
      onSubmit={form.submit(
        () => ({}),
        async () => {
          keepSent(await callPublic(resendForgotPassword, { body: { ticket: sent.ticket } }), sent.until);
          setSent(recall<Sent>('forgotten', sessionStorage));
          setAgain(true);
        },
      )}
    >
      {again && <p role="status">{t('account.sentAgain')}</p>}
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" variant="default" fullWidth loading={busy} disabled={left > 0}>
        {left > 0 ? t('account.resendIn', { count: left }) : t('account.resend')}
      </Button>
      <Button component={Link} to="/login" variant="subtle" size="md" fullWidth>
        {t('account.toLogin')}
      </Button>
    </CardPage>
  );
}
