import { useRouter } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { PasswordField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { lockHere, lockPath, setLocked, syncTabs } from '../../../kit/session/lock.ts';
import { keep } from '../../../kit/browser/storage.ts';
import css from './lock-dialog.module.css';

/**
 * Stores a salted slow hash (SHELL-12); the server enforces the lock. Pages without a secure context cannot hash and
 * skip this.
 */
async function keepLockPassword(password: string): Promise<void> {
  if (!(crypto.subtle as SubtleCrypto | undefined)) return;
  const text = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits']);
  const hash = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 600_000 }, key, 256),
  );
  keep('lockPassword', { salt: text(salt), hash: text(hash) });
}

const lock = remote('lockSession', 'POST /api/f/auth/session/lock');

/** Asks for the password that will unlock the session: any text that is not empty (AUTH-09). */
export default function LockDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const form = useForm({ lockPassword: '' });
  const password = form.values.lockPassword;
  const lockSession = async () => {
    const path = lockPath();
    // Before the call: its answer locks this tab, which then accepts nothing more.
    await keepLockPassword(password);
    await lockHere(async () => {
      await call(lock, { body: { password } });
    });
    setLocked(true);
    syncTabs(true);
    router.history.replace(path);
  };
  const submit = form.submit(
    () => (password === '' ? { lockPassword: t('lock.empty') } : {}),
    () =>
      lockSession().catch((error: unknown) => {
        keep('lockPassword', undefined);
        throw error;
      }),
  );
  return (
    <FormDialog title={t('lock.lock')} form={form} confirm={t('lock.lock')} onSubmit={submit} onClose={onClose}>
      <p className={css.text}>{t('lock.explain')}</p>
      <PasswordField form={form} name="lockPassword" label={t('lock.password')} autoComplete="off" data-autofocus />
    </FormDialog>
  );
}
