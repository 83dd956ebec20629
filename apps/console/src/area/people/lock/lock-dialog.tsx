import { useState, type SubmitEvent } from 'react';
import { Button, Modal, PasswordInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { lockHere, lockPath, setLocked, tellTabs } from '../../../kit/session/lock.ts';
import { keep } from '../../../kit/session/storage.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';
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

/** Asks for the password that will unlock the session: any text that is not empty (spec, section 5). */
export default function LockDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('lockPassword') as HTMLInputElement;
    if (password === '') {
      setFault(t('lock.empty'));
      field.focus();
      return;
    }
    setBusy(true);
    try {
      const path = lockPath();
      // Before the call: its answer locks this tab, which then accepts nothing more.
      await keepLockPassword(password);
      await lockHere(async () => {
        await call(lock, { body: { password } });
      });
      setLocked(true);
      tellTabs(true);
      router.history.replace(path);
    } catch (e) {
      keep('lockPassword', undefined);
      setBusy(false);
      setFault(refusalOf(e).text);
      field.focus();
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('lock.lock')} withCloseButton={false}>
      <form onSubmit={(e) => void submit(e)} noValidate>
        <p className={css.text}>{t('lock.explain')}</p>
        <PasswordInput
          name="lockPassword"
          data-autofocus
          label={t('lock.password')}
          value={password}
          onChange={(e) => {
            setPassword(e.currentTarget.value);
            setFault(undefined);
          }}
          autoComplete="off"
          visibilityToggleButtonProps={passwordEye()}
          aria-invalid={fault !== undefined}
          error={fault !== undefined && <FieldError text={fault} />}
        />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('lock.lock')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
