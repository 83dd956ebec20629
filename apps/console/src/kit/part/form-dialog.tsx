import type { ReactNode, SubmitEventHandler } from 'react';
import { Button, Modal, type ModalProps } from '@mantine/core';
import { useText } from '../text/use-text.ts';
import { RefusalBox } from './refusal-box.tsx';
import type { Refusal } from './refusal.ts';
import css from './dialog.module.css';

/** A dialog that asks for values. It shows the server's error above its buttons. */
export function FormDialog({
  title,
  form,
  confirm,
  danger = false,
  disabled = false,
  long = false,
  aside,
  result,
  onSubmit,
  onClose,
  children,
  ...modal
}: {
  title: ReactNode;
  form: { busy: boolean; refusal: Refusal | undefined };
  /** Label of the button that saves. */
  confirm: ReactNode;
  /** Destructive. */
  danger?: boolean;
  /** There is nothing to save. */
  disabled?: boolean;
  /** Keeps the buttons visible below a long form. */
  long?: boolean;
  /** Buttons before the others. */
  aside?: ReactNode;
  /**
   * Shown instead of the form once it has made something that is seen only once. It stays the same dialog, so that the
   * focus returns to what opened it.
   */
  result?: { title: ReactNode; content: ReactNode } | undefined;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onClose: () => void;
  children: ReactNode;
} & Pick<ModalProps, 'size' | 'closeOnEscape'>) {
  const { t } = useText();
  if (result)
    return (
      <Modal
        opened
        onClose={onClose}
        title={result.title}
        withCloseButton={false}
        closeOnClickOutside={false}
        {...modal}
      >
        {result.content}
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false} {...modal}>
      <form onSubmit={onSubmit} noValidate className={css.form}>
        {children}
        <RefusalBox refusal={form.refusal} />
        <div className={long ? `${css.buttons} ${css.sticky}` : css.buttons}>
          {aside}
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={disabled} {...(danger ? { color: 'danger' } : {})}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
