import { Button, Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { AllocateForm } from './allocate-form.tsx';
import type { OrderRequest } from './take-back-dialog.tsx';
import { macText } from '../../../kit/text/time.ts';
import css from '../../../kit/part/dialog.module.css';

/** Assigns the lines that are selected in the list to a channel. */
export default function AllocateDialog({
  request,
  onClose,
  onDone,
}: {
  request: OrderRequest;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const title = request.order
    ? t('channelOrder.allocateOne', { name: macText(request.order.mac) })
    : t('channelOrder.allocate');
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <AllocateForm
        given={{ target: request.target, count: request.count }}
        onDone={() => {
          onClose();
          onDone();
        }}
        frame={({ fields, send }) => (
          <div style={{ display: 'grid', gap: 12 }}>
            {fields}
            <div className={css.buttons}>
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              {send}
            </div>
          </div>
        )}
      />
    </Modal>
  );
}
