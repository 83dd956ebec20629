import { useState, type SubmitEvent } from 'react';
import { Button, Modal, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { MenuNode, PermissionKey } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { faultsOf, refusalOf } from '../../../kit/part/refusal.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { RightTree } from '../../people/role/right-tree.tsx';
import css from '../../../kit/part/security.module.css';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import own from './api-developer-page.module.css';

const add = remote('addApiToken', 'POST /api/f/auth/api/token/add');
const lives = [30, 90, 180, 365] as const;

interface Props {
  tree: readonly MenuNode[];
  /** Users who log in through an identity provider have no password. */
  passwordNeeded: boolean;
  onClose: () => void;
}

/** Asks for name, permissions and end of a token, and for the user's password, then shows the token once. */
export default function TokenDialog({ tree, passwordNeeded, onClose }: Props) {
  const { t } = useText();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(90);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ name?: string; scopes?: string; password?: string; all?: string }>({});
  const [busy, setBusy] = useState(false);
  const [token, setToken] = useState<string>();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const found = {
      ...(name.trim() === '' ? { name: t('api.nameMissing') } : {}),
      ...(chosen.size === 0 ? { scopes: t('api.scopesMissing') } : {}),
      ...(passwordNeeded && password === '' ? { password: t('login.passwordMissing') } : {}),
    };
    setFaults(found);
    const focus = (field: 'name' | 'password') => (form.elements.namedItem(field) as HTMLElement | null)?.focus();
    if (found.name) {
      focus('name');
      return;
    }
    if (found.scopes) {
      form.querySelector<HTMLElement>('input[type=checkbox]')?.focus();
      return;
    }
    if (found.password) {
      focus('password');
      return;
    }
    setBusy(true);
    try {
      setToken(
        (
          await call(add, {
            body: {
              name: name.trim(),
              scopes: [...chosen] as PermissionKey[],
              expiresAt: new Date(Date.now() + days * 86_400_000).toISOString(),
              password,
            },
          })
        ).token,
      );
    } catch (e) {
      const atField = faultsOf(e, ['password']);
      if (atField.password !== undefined) focus('password');
      setFaults(atField.password === undefined ? { all: refusalOf(e).text } : atField);
    }
    setBusy(false);
  }
  if (token !== undefined) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('api.made', { name })}
        withCloseButton={false}
        closeOnClickOutside={false}
      >
        <p className={css.text}>{t('api.once')}</p>
        <div className={own.token}>
          <code>{token}</code>
          <CopyButton value={token} label={t('api.token')} />
        </div>
        <div className={css.buttons}>
          <Button data-autofocus onClick={onClose}>
            {t('api.kept')}
          </Button>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={t('api.add')} withCloseButton={false} size="lg">
      <form onSubmit={(e) => void submit(e)} noValidate className={css.stack}>
        <TextInput
          name="name"
          data-autofocus
          label={t('api.name')}
          value={name}
          maxLength={64}
          autoComplete="off"
          onChange={(e) => setName(e.currentTarget.value)}
          error={faults.name !== undefined && <FieldError text={faults.name} />}
        />
        <NativeSelect
          name="days"
          label={t('api.life')}
          value={String(days)}
          onChange={(e) => setDays(Number(e.currentTarget.value))}
          data={lives.map((n) => ({ value: String(n), label: t('api.days', { count: n }) }))}
        />
        <fieldset
          className={own.choose}
          aria-describedby={faults.scopes === undefined ? undefined : 'api-scopes-fault'}
        >
          <legend>{t('api.scopes')}</legend>
          <RightTree nodes={tree} chosen={chosen} onChange={setChosen} />
        </fieldset>
        {faults.scopes !== undefined && (
          <p id="api-scopes-fault" role="alert" className={css.error}>
            <FieldError text={faults.scopes} />
          </p>
        )}
        {passwordNeeded && (
          <PasswordInput
            name="password"
            label={t('password.old')}
            value={password}
            autoComplete="current-password"
            onChange={(e) => setPassword(e.currentTarget.value)}
            visibilityToggleButtonProps={passwordEye()}
            aria-invalid={faults.password !== undefined}
            error={faults.password !== undefined && <FieldError text={faults.password} />}
          />
        )}
        {faults.all !== undefined && (
          <div role="alert" className={css.error}>
            <FieldError text={faults.all} />
          </div>
        )}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('api.make')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
