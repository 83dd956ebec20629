import { useState, type ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { useText } from '../text/use-text.ts';
import { RefusalBox } from './refusal-box.tsx';
import { refusalOf, type Refusal } from './refusal.ts';
import css from './dialog.module.css';

/** Describes an action, runs it after the confirmation, and shows why it failed. */
export function AskDialog({
  title,
  text,
  confirm,
  danger = false,
  onConfirm,
  onClose,
  check,
  children,
  ...named
}: {
  title: string;
  text: ReactNode;
  /** Label of the button, by default the title: both name action and object. */ confirm?: string;
  /** Destructive. */ danger?: boolean;
  /** Returns an error of the input; the action is then not run. */ check?: () => string | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useText();
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  async function run() {
    const wrong = check?.();
    setRefusal(wrong === undefined ? undefined : { text: wrong });
    if (wrong !== undefined) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (e) {
      setRefusal(refusalOf(e));
      setBusy(false);
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false} {...named}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void run();
        }}
        noValidate
      >
        <p className={css.effect}>{text}</p>
        {children}
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            title={confirm ?? title}
            {...(danger ? { color: 'danger' } : {})}
            loading={busy}
            data-autofocus
          >
            {confirm ?? title}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
