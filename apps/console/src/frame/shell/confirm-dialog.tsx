import { Button, Modal } from '@mantine/core';
import { useText } from '../../kit/text/use-text.ts';
import css from './shell.module.css';

export default function ConfirmDialog({
  title,
  text,
  action,
  onClose,
  onConfirm,
}: {
  title: string;
  text: string;
  action: string;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { t } = useText();
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <p className={css.text}>{text}</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          data-autofocus
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Modal>
  );
}
