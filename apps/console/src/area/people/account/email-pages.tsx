import { useState } from 'react';
import { Button } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { CardPage, RefusalNote } from '../login/card-page.tsx';
import { MailState } from '../mail/mail-state.tsx';
import { lastOwnMail, ownMailQuery } from '../mail/mail.calls.ts';
import { PasswordField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { keep, recall } from '../../../kit/browser/storage.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { requestEmailChange, resendEmailChange } from './account.calls.ts';
import { ExpiredPage, useCountdown } from './account-parts.tsx';

interface Sent {
  email: string;
  again: number;
}
const keepSent = ({ email, resendSeconds }: { email: string; resendSeconds: number }) =>
  keep('newEmail', { email, again: Date.now() + resendSeconds * 1000 } satisfies Sent, sessionStorage);

/**
 * Asks for a new address with the password: an unattended session must not move an account to another mailbox
 * (AUTH-11).
 */
export function NewEmailPage() {
  const { t } = useText();
  const router = useRouter();
  const form = useForm({ email: '', password: '' });
  const { values, refusal, busy } = form;
  const check = () => ({
    ...(/^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(values.email.trim()) ? {} : { email: t('account.emailInvalid') }),
    ...(values.password === '' ? { password: t('login.passwordMissing') } : {}),
  });
  return (
    <CardPage
      title={t('account.newEmail')}
      lead={t('account.newEmailLead')}
      onSubmit={form.submit(check, async () => {
        keepSent(await call(requestEmailChange, { body: { email: values.email.trim(), password: values.password } }));
        await router.navigate({ to: '/resetEmailActive' });
      })}
    >
      <TextField
        form={form}
        name="email"
        type="email"
        size="md"
        label={t('account.newEmail')}
        autoComplete="email"
        autoFocus
      />
      <PasswordField form={form} name="password" size="md" label={t('password.old')} autoComplete="current-password" />
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('account.sendLink')}
      </Button>
      <Button component={Link} to="/info" variant="subtle" size="md" fullWidth>
        {t('common.cancel')}
      </Button>
    </CardPage>
  );
}

function Delivery({ before }: { before: string | null }) {
  return <MailState mail={useQuery(ownMailQuery('emailChange', before)).data} before={before} />;
}

/** Shows the state of the mail to the new address, and sends it again. */
export function NewEmailSentPage() {
  const { t } = useText();
  const [sent, setSent] = useState(() => recall<Sent>('newEmail', sessionStorage));
  const [before, setBefore] = useState<string | null>(null);
  // This page is outside of the main layout, which provides the client elsewhere. Nothing of it is kept for the next
  // user.
  const [client] = useState(() => new QueryClient());
  const form = useForm({});
  const { refusal, busy } = form;
  const left = useCountdown(sent?.again ?? 0);
  if (sent === undefined)
    return (
      <ExpiredPage
        title={t('account.pageExpired')}
        text={t('account.pageExpiredText')}
        to="/resetEmail"
        action={t('account.beginAgain')}
      />
    );
  return (
    <CardPage
      title={t('account.mailSent')}
      lead={t('account.newEmailSent', { email: sent.email })}
      onSubmit={form.submit(
        () => ({}),
        async () => {
          const last = await lastOwnMail('emailChange');
          keepSent(await call(resendEmailChange));
          setSent(recall<Sent>('newEmail', sessionStorage));
          setBefore(last?.id ?? null);
        },
      )}
    >
      <QueryClientProvider client={client}>
        <Delivery before={before} />
      </QueryClientProvider>
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" variant="default" fullWidth loading={busy} disabled={left > 0}>
        {left > 0 ? t('account.resendIn', { count: left }) : t('account.resend')}
      </Button>
      <Button component={Link} to="/info" variant="subtle" size="md" fullWidth>
        {t('account.toInfo')}
      </Button>
    </CardPage>
  );
}
