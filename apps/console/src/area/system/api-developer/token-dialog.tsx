import { useState } from 'react';
import { Button, NativeSelect } from '@mantine/core';
import type { MenuNode, PermissionKey } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { PasswordField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { RightTree } from '../../people/role/right-tree.tsx';
import css from '../../../kit/part/security.module.css';
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
  const form = useForm({ name: '', days: '90', scopes: [] as readonly string[], password: '' });
  const { values } = form;
  const [token, setToken] = useState<string>();
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('api.nameMissing') } : {}),
    ...(values.scopes.length === 0 ? { scopes: t('api.scopesMissing') } : {}),
    ...(passwordNeeded && values.password === '' ? { password: t('login.passwordMissing') } : {}),
  });
  const make = async () => {
    const body = {
      name: values.name.trim(),
      scopes: [...values.scopes] as PermissionKey[],
      expiresAt: new Date(Date.now() + Number(values.days) * 86_400_000).toISOString(),
      password: values.password,
    };
    setToken((await call(add, { body })).token);
  };
  return (
    <FormDialog
      title={t('api.add')}
      size="lg"
      form={form}
      confirm={t('api.make')}
      result={
        token === undefined
          ? undefined
          : {
              title: t('api.made', { name: values.name.trim() }),
              content: <MadeToken token={token} onClose={onClose} />,
            }
      }
      onSubmit={form.submit(check, make)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('api.name')} maxLength={64} data-autofocus />
      <NativeSelect
        name="days"
        label={t('api.life')}
        value={values.days}
        onChange={(e) => form.set({ days: e.currentTarget.value })}
        data={lives.map((n) => ({ value: String(n), label: t('api.days', { count: n }) }))}
      />
      <fieldset className={own.choose} aria-describedby={form.fault('scopes') ? 'api-scopes-fault' : undefined}>
        <legend>{t('api.scopes')}</legend>
        <RightTree
          nodes={tree}
          chosen={new Set(values.scopes)}
          onChange={(scopes) => form.set({ scopes: [...scopes] })}
        />
      </fieldset>
      {form.fault('scopes') && (
        <p id="api-scopes-fault" role="alert" className={css.error}>
          {form.fault('scopes')}
        </p>
      )}
      {passwordNeeded && (
        <PasswordField form={form} name="password" label={t('password.old')} autoComplete="current-password" />
      )}
    </FormDialog>
  );
}

/** Shows a token once. */
function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useText();
  return (
    <>
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
    </>
  );
}
