import { useState, type ReactNode, type SubmitEvent, type SubmitEventHandler } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { MailState } from '../mail/mail-state.tsx';
import { ownMailQuery } from '../mail/mail.calls.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';
import css from '../../../kit/part/security.module.css';
import own from './two-step-page.module.css';

const get = remote('getTwoStep', 'GET /api/f/auth/twoStep');
const mail = remote('mailTwoStepCode', 'POST /api/f/auth/twoStep/code');
const open = remote('openTwoStep', 'POST /api/f/auth/twoStep/open');
const close = remote('closeTwoStep', 'POST /api/f/auth/twoStep/close');

type TwoStep = RouteOutput<typeof get>;

/**
 * Opens or closes two-step login for the company: shows first whom it would shut out, then asks for a code by mail
 * (AUTH-14).
 */
export function TwoStepPage() {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const { data } = useQuery({ queryKey: ['twoStep'], queryFn: ({ signal }) => call(get, {}, { signal }) });
  const [sent, setSent] = useState(false);
  /** The mail before the requested one. */
  const [before, setBefore] = useState<string | null>(null);
  const state = useQuery({ ...ownMailQuery('code', before), enabled: sent });
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const showRefusal = (e: unknown) => {
    setFault(refusalOf(e).text);
    setBusy(false);
  };

  async function send() {
    setBusy(true);
    setFault(undefined);
    try {
      const { data: last } = await state.refetch();
      await call(mail);
      setBefore(last?.id ?? null);
      setSent(true);
      setCode('');
      setBusy(false);
    } catch (e) {
      showRefusal(e);
    }
  }
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('code') as HTMLInputElement;
    if (code.trim() === '') {
      setFault(t('second.missing'));
      field.focus();
      return;
    }
    setBusy(true);
    setFault(undefined);
    try {
      await call(data!.open ? close : open, { body: { code: code.trim() } });
      setSent(false);
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['twoStep'] });
      await done(data!.open ? 'disabled' : 'enabled', { name: t('menu.twoStep') });
    } catch (e) {
      showRefusal(e);
      field.focus();
    }
  }
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('menu.twoStep')}</h1>
      </header>
      <div className={css.body} aria-busy={data === undefined || undefined}>
        {data && (
          <section className={css.box} aria-labelledby="two-step-state">
            <div className={css.title}>
              <h2 id="two-step-state" role="status">
                {t(data.open ? 'twoStep.isOpen' : 'twoStep.isClosed')}
              </h2>
            </div>
            <p className={css.lead}>{t('twoStep.text')}</p>
            {data.shutOut > 0 && <ShutOut twoStep={data} />}
            {access.can('editTwoStep') &&
              (data.email === null ? (
                <p role="note" className={css.error}>
                  <FieldError text={t('twoStep.noEmail')} />
                </p>
              ) : (
                <>
                  {sent && (
                    <CodeForm
                      isOpen={data.open}
                      email={data.email}
                      state={<MailState mail={state.data} before={before} />}
                      code={code}
                      onCode={setCode}
                      fault={fault}
                      busy={busy}
                      onSubmit={(e) => void submit(e)}
                      onResend={() => void send()}
                      onCancel={() => {
                        setSent(false);
                        setFault(undefined);
                      }}
                    />
                  )}
                  {!sent && fault !== undefined && (
                    <div role="alert" className={css.error}>
                      <FieldError text={fault} />
                    </div>
                  )}
                  {!sent && (
                    <div>
                      <Button
                        variant={data.open ? 'default' : 'filled'}
                        data-danger={data.open || undefined}
                        loading={busy}
                        onClick={() => void send()}
                      >
                        {t(data.open ? 'twoStep.askClose' : 'twoStep.askOpen')}
                      </Button>
                    </div>
                  )}
                </>
              ))}
          </section>
        )}
      </div>
    </div>
  );
}

/** Names the users who could not log in any more. */
function ShutOut({ twoStep }: { twoStep: TwoStep }) {
  const { t } = useText();
  return (
    <div className={own.warning}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <div>
        <strong>{t(twoStep.open ? 'twoStep.shutOutNow' : 'twoStep.shutOut', { count: twoStep.shutOut })}</strong>
        <p>
          {twoStep.names.join(', ')}
          {twoStep.shutOut > twoStep.names.length && ' …'}
        </p>
      </div>
    </div>
  );
}

/** Asks for the code of the mail. */
function CodeForm({
  isOpen,
  email,
  state,
  code,
  onCode,
  fault,
  busy,
  onSubmit,
  onResend,
  onCancel,
}: {
  isOpen: boolean;
  email: string;
  /** How far the mail is. */
  state: ReactNode;
  code: string;
  onCode: (code: string) => void;
  fault: string | undefined;
  busy: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onResend: () => void;
  onCancel: () => void;
}) {
  const { t } = useText();
  return (
    <form onSubmit={onSubmit} noValidate className={own.form}>
      <p className={css.text}>{t('twoStep.sent', { email })}</p>
      {state}
      <TextInput
        name="code"
        label={t('second.mailCode')}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        autoFocus
        onChange={(e) => onCode(e.currentTarget.value)}
        error={fault !== undefined && <FieldError text={fault} />}
      />
      <div className={own.buttons}>
        <Button type="submit" loading={busy} color={isOpen ? 'danger' : undefined}>
          {t(isOpen ? 'twoStep.close' : 'twoStep.open')}
        </Button>
        <Button variant="subtle" disabled={busy} onClick={onResend}>
          {t('second.resend')}
        </Button>
        <Button variant="subtle" disabled={busy} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
