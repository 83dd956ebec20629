import { useState, type SubmitEvent } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { missingParts } from '@carillon/contracts/password';
import { useText } from '../../../kit/text/use-text.ts';
import { CardPage, RefusalNote } from '../login/card-page.tsx';
import { faultsOf, refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { PasswordRule } from '../../../kit/part/password-rule.tsx';
import { call, isCallError, remote } from '../../../kit/api/call.ts';
import { endSession, oneTimePassword, passwordChanged, session } from '../../../kit/session/session.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';

const changePassword = remote('changePassword', 'POST /api/f/auth/password/change');
const logout = remote('logout', 'GET /api/f/auth/oauth/logout');
const fieldNames = ['oldPassword', 'newPassword', 'confirmation'] as const;
type Field = (typeof fieldNames)[number];

/**
 * Changes the user's own password or a one-time one (AUTH-13). A user with a one-time password can do nothing else
 * before.
 */
export function ChangePasswordPage() {
  const { t } = useText();
  const router = useRouter();
  const [forced] = useState(session()?.mustChangePassword === true);
  const [known] = useState(oneTimePassword());
  const [values, setValues] = useState({ oldPassword: '', newPassword: '', confirmation: '' });
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const old = known ?? values.oldPassword;
  const names = [session()?.username];
  const set = (field: Field, value: string) => {
    setValues({ ...values, [field]: value });
    setFaults({ ...faults, [field]: undefined });
  };

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found: Partial<Record<Field, string>> = {};
    if (old === '') found.oldPassword = t('login.passwordMissing');
    if (missingParts(values.newPassword, names).length > 0) found.newPassword = t('password.rule');
    else if (values.newPassword === old) found.newPassword = t('password.same');
    if (values.confirmation !== values.newPassword) found.confirmation = t('password.differ');
    setFaults(found);
    setRefusal(undefined);
    const form = event.currentTarget;
    const focus = (field: string | undefined) =>
      (field === undefined ? undefined : (form.elements.namedItem(field) as HTMLElement | null))?.focus();
    const first = Object.keys(found)[0];
    if (first !== undefined) {
      focus(first);
      return;
    }
    setBusy(true);
    try {
      await call(changePassword, {
        body: { oldPassword: old, newPassword: values.newPassword, confirmation: values.confirmation },
      });
      passwordChanged();
      // A user who had to choose one goes on to the product; another user gets a confirmation.
      router.history.replace(forced ? '/wel/home' : '/resetPasswordResult');
    } catch (e) {
      setBusy(false);
      const isOld = isCallError(e) && e.error === 'auth.oldPasswordWrong' && known === undefined;
      const fields = isOld ? { oldPassword: refusalOf(e).text } : faultsOf(e, fieldNames);
      setFaults(fields);
      if (Object.keys(fields).length > 0) focus(Object.keys(fields)[0]);
      else setRefusal(refusalOf(e));
    }
  }
  const input = (field: Field, label: string, autoComplete: string, more: object = {}) => (
    <PasswordInput
      name={field}
      size="md"
      label={label}
      value={values[field]}
      onChange={(e) => set(field, e.currentTarget.value)}
      autoComplete={autoComplete}
      {...more}
      visibilityToggleButtonProps={passwordEye()}
      aria-invalid={faults[field] !== undefined}
      error={faults[field] !== undefined && <FieldError text={faults[field]} />}
    />
  );
  return (
    <CardPage
      title={t(forced ? 'password.choose' : 'password.change')}
      lead={forced ? t('password.oneTime') : undefined}
      onSubmit={(e) => void submit(e)}
    >
      <input type="text" name="username" autoComplete="username" value={session()?.username ?? ''} readOnly hidden />
      {known === undefined && input('oldPassword', t('password.old'), 'current-password', { autoFocus: true })}
      {input('newPassword', t('password.new'), 'new-password', {
        'aria-describedby': 'password-rule',
        autoFocus: known !== undefined,
      })}
      <PasswordRule id="password-rule" password={values.newPassword} names={names} />
      {input('confirmation', t('password.confirmation'), 'new-password')}
      <RefusalNote refusal={refusal} />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('password.save')}
      </Button>
      {forced ? (
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
      ) : (
        <Button variant="subtle" size="md" fullWidth onClick={() => router.history.back()}>
          {t('common.cancel')}
        </Button>
      )}
    </CardPage>
  );
}
