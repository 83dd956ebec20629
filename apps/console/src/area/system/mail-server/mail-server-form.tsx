import { useState, type ReactNode } from 'react';
import { Button, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import type { MailServerFacts } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import css from '../config/config-page.module.css';

/** Whether both are the same server: the stored password is valid only for that one. */
const same = (a: Pick<MailServerFacts, 'host' | 'port' | 'security'>, b: typeof a): boolean =>
  a.host === b.host && a.port === b.port && a.security === b.security;

export type MailServerGiven = Omit<MailServerFacts, 'passwordSet'> & { password?: string };

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
  const form = useForm({
    host: now?.host ?? '',
    port: (now?.port ?? 465) as number | string,
    security: now?.security ?? 'tls',
    user: now?.user ?? '',
    password: '',
    from: now?.from ?? '',
  });
  const [to, setTo] = useState(address);
  const [tested, setTested] = useState<{ sent: string } | Refusal>();
  const [toMissing, setToMissing] = useState(false);
  const [testing, setTesting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { values, fault } = form;
  const set: typeof form.set = (change) => {
    form.set(change);
    setTested(undefined);
  };
  const server = () => ({
    host: values.host.trim(),
    port: Number(values.port),
    security: values.security,
    user: values.user.trim() || null,
    from: values.from.trim(),
    ...(values.password === '' ? {} : { password: values.password }),
  });
  const hostMissing = () => (values.host.trim() === '' ? { host: t('config.missing') } : {});
  const check = () => ({
    ...hostMissing(),
    ...(values.from.trim() === '' ? { from: t('config.missing') } : {}),
  });
  async function test() {
    setTesting(true);
    setTested(undefined);
    try {
      await onTest(to.trim(), server());
      setTested({ sent: to.trim() });
    } catch (e) {
      setTested(refusalOf(e));
    }
    setTesting(false);
  }
  const text = (name: 'host' | 'user' | 'from', description?: string) => (
    <TextInput
      name={name}
      label={t(`config.${name}`)}
      description={description}
      maxLength={name === 'from' ? 320 : 255}
      value={values[name]}
      onChange={(e) => set({ [name]: e.currentTarget.value })}
      error={fault(name)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
  return (
    <>
      <form
        className={css.form}
        onSubmit={form.submit(check, async () => {
          await onSave(server());
          form.set({ password: '' });
        })}
        noValidate
        aria-label={label}
      >
        <div className={css.row}>
          {text('host')}
          <NumberInput
            name="port"
            label={t('config.port')}
            min={1}
            max={65535}
            value={values.port}
            onChange={(port) => set({ port })}
            error={fault('port')}
          />
        </div>
        <Select
          name="security"
          label={t('config.security')}
          data={(['tls', 'starttls', 'none'] as const).map((value) => ({
            value,
            label: t(`config.security.${value}`),
          }))}
          value={values.security}
          onChange={(v) => set({ security: v as 'tls' })}
          allowDeselect={false}
        />
        {text('user')}
        <PasswordInput
          name="mailPassword"
          label={t('config.password')}
          description={
            now?.passwordSet
              ? t(
                  same(now, {
                    host: values.host.trim().toLowerCase(),
                    port: Number(values.port),
                    security: values.security,
                  })
                    ? 'config.passwordKept'
                    : 'config.passwordAgain',
                )
              : undefined
          }
          maxLength={255}
          value={values.password}
          onChange={(e) => set({ password: e.currentTarget.value })}
          autoComplete="new-password"
          visibilityToggleButtonProps={passwordEye()}
          aria-invalid={Boolean(fault('password'))}
          error={fault('password')}
        />
        {text('from', t('config.fromHint'))}
        {children}
        <RefusalBox refusal={form.refusal} />
        {may && (
          <div className={css.buttons}>
            <Button type="submit" loading={form.busy && !testing}>
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
        <form
          className={css.form}
          onSubmit={(e) => {
            setToMissing(to.trim() === '');
            if (to.trim() !== '') form.submit(hostMissing, test)(e);
            else e.preventDefault();
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
              setToMissing(false);
            }}
            error={toMissing && <FieldError text={t('config.missing')} />}
            autoComplete="off"
          />
          <div className={css.buttons}>
            <Button type="submit" variant="default" loading={testing}>
              {t('config.test')}
            </Button>
          </div>
          {tested &&
            ('sent' in tested ? (
              <p role="status">{t('config.testSent', { to: tested.sent })}</p>
            ) : (
              <RefusalBox refusal={tested} />
            ))}
        </form>
      )}
    </>
  );
}
