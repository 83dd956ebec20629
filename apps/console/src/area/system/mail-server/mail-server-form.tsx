import { useState, type ReactNode, type SubmitEvent } from 'react';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { MailServerFacts } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import type { Refusal } from '../../../kit/part/refusal.ts';
import { NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import css from '../config/config-page.module.css';

/** Whether both are the same server: the stored password is valid only for that one. */
const same = (a: Pick<MailServerFacts, 'host' | 'port' | 'security'>, b: typeof a): boolean =>
  a.host === b.host && a.port === b.port && a.security === b.security;

export type MailServerGiven = Omit<MailServerFacts, 'passwordSet'> & { password?: string };

const valuesOf = (now: MailServerFacts | null) => ({
  host: now?.host ?? '',
  port: (now?.port ?? 465) as number | '',
  security: now?.security ?? 'tls',
  user: now?.user ?? '',
  password: '',
  from: now?.from ?? '',
});
type Values = ReturnType<typeof valuesOf>;

const serverOf = (values: Values): MailServerGiven => ({
  host: values.host.trim(),
  port: Number(values.port),
  security: values.security,
  user: values.user.trim() || null,
  from: values.from.trim(),
  ...(values.password === '' ? {} : { password: values.password }),
});

/** Edits a mail server and tests it: the test mail uses the values in the form. */
export function MailServerForm({
  now,
  address,
  may,
  label,
  removal,
  children,
  onSave,
  onRemove,
  onTest,
}: {
  now: MailServerFacts | null;
  /** Default recipient of the test mail. */
  address: string;
  may: boolean;
  label: string;
  /** What happens to mails without this server. */
  removal: string;
  children?: ReactNode;
  onSave: (server: MailServerGiven) => Promise<void>;
  onRemove: () => Promise<void>;
  onTest: (to: string, server: MailServerGiven) => Promise<unknown>;
}) {
  const { t } = useText();
  const state = useForm(valuesOf(now));
  const [removing, setRemoving] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const test = useAction();
  const { values } = state;
  const set: typeof state.set = (change) => {
    state.set(change);
    setSentTo(undefined);
    test.clear();
  };
  const form = { ...state, set };
  const hostMissing = () => (values.host.trim() === '' ? { host: t('config.missing') } : {});
  const check = () => ({
    ...hostMissing(),
    ...(values.from.trim() === '' ? { from: t('config.missing') } : {}),
  });
  const runTest = (to: string) => {
    setSentTo(undefined);
    return test.run(async () => {
      await onTest(to, serverOf(values));
      setSentTo(to);
    });
  };
  return (
    <>
      <form
        className={css.form}
        onSubmit={form.submit(check, async () => {
          await onSave(serverOf(values));
          state.set({ password: '' });
        })}
        noValidate
        aria-label={label}
      >
        <ServerFields form={form} now={now} />
        {children}
        <RefusalBox refusal={form.refusal} />
        {may && (
          <div className={css.buttons}>
            <Button type="submit" loading={form.busy && !test.busy}>
              {t('common.save')}
            </Button>
            {now && (
              <Button variant="default" data-danger disabled={form.busy} onClick={() => setRemoving(true)}>
                {t('config.noServer')}
              </Button>
            )}
          </div>
        )}
      </form>
      {removing && (
        <AskDialog
          title={t('config.removeServer', { name: now?.host })}
          text={removal}
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await onRemove();
            set({ host: '', port: 465, security: 'tls', user: '', password: '', from: '' });
          }}
        />
      )}
      {may && (
        <TestForm
          address={address}
          busy={test.busy}
          refusal={test.refusal}
          sentTo={sentTo}
          onTest={(to, event) => form.submit(hostMissing, () => runTest(to))(event)}
        />
      )}
    </>
  );
}

/** Where the server is, and how mails are sent there. */
function ServerFields({ form, now }: { form: Form<Values>; now: MailServerFacts | null }) {
  const { t } = useText();
  const { values, set, fault } = form;
  const place = { host: values.host.trim().toLowerCase(), port: Number(values.port), security: values.security };
  const machine = { autoCapitalize: 'none', spellCheck: false };
  return (
    <>
      <div className={css.row}>
        <TextField form={form} name="host" label={t('config.host')} maxLength={255} {...machine} />
        <NumberField form={form} name="port" label={t('config.port')} min={1} max={65535} />
      </div>
      <SelectField
        form={form}
        name="security"
        label={t('config.security')}
        data={(['tls', 'starttls', 'none'] as const).map((value) => ({ value, label: t(`config.security.${value}`) }))}
      />
      <TextField form={form} name="user" label={t('config.user')} maxLength={255} {...machine} />
      <PasswordInput
        name="mailPassword"
        label={t('config.password')}
        description={
          now?.passwordSet ? t(same(now, place) ? 'config.passwordKept' : 'config.passwordAgain') : undefined
        }
        maxLength={255}
        value={values.password}
        onChange={(e) => set({ password: e.currentTarget.value })}
        autoComplete="new-password"
        visibilityToggleButtonProps={passwordEye()}
        aria-invalid={Boolean(fault('password'))}
        error={fault('password')}
      />
      <TextField
        form={form}
        name="from"
        label={t('config.from')}
        description={t('config.fromHint')}
        maxLength={320}
        {...machine}
      />
    </>
  );
}

/** Sends a test mail, and says whether the server took it. */
function TestForm({
  address,
  busy,
  refusal,
  sentTo,
  onTest,
}: {
  address: string;
  busy: boolean;
  refusal: Refusal | undefined;
  /** The recipient of the last mail that the server took. */
  sentTo: string | undefined;
  onTest: (to: string, event: SubmitEvent<HTMLFormElement>) => void;
}) {
  const { t } = useText();
  const [to, setTo] = useState(address);
  const [missing, setMissing] = useState(false);
  return (
    <form
      className={css.form}
      onSubmit={(e) => {
        setMissing(to.trim() === '');
        if (to.trim() === '') e.preventDefault();
        else onTest(to.trim(), e);
      }}
      noValidate
      aria-label={t('config.test')}
    >
      <TextInput
        name="to"
        type="email"
        label={t('config.testTo')}
        maxLength={254}
        value={to}
        onChange={(e) => {
          setTo(e.currentTarget.value);
          setMissing(false);
        }}
        error={missing && <FieldError text={t('config.missing')} />}
        autoComplete="off"
      />
      <div className={css.buttons}>
        <Button type="submit" variant="default" loading={busy}>
          {t('config.test')}
        </Button>
      </div>
      {sentTo !== undefined && <p role="status">{t('config.testSent', { to: sentTo })}</p>}
      <RefusalBox refusal={refusal} />
    </form>
  );
}
