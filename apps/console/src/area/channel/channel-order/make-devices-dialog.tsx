import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import type { Made } from './channel-order.calls.ts';
import { MadeDevices } from './made-devices.tsx';
import { MakeDevicesForm } from './make-devices-form.tsx';
import type { OrderRequest } from './take-back-dialog.tsx';
import css from '../../../kit/part/dialog.module.css';

/** Makes devices of the lines selected in the list. Stays open until their secrets are saved. */
export default function MakeDevicesDialog({
  request,
  onClose,
  onDone,
}: {
  request: OrderRequest;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const [made, setMade] = useState<Made>();
  const [saved, setSaved] = useState(false);
  const close = () => {
    onClose();
    if (made) onDone();
  };
  return (
    <Modal
      opened
      onClose={() => (made === undefined || saved ? close() : undefined)}
      title={t('channelOrder.toDevice')}
      withCloseButton={false}
      closeOnClickOutside={made === undefined}
    >
      {made ? (
        <div style={{ display: 'grid', gap: 12 }}>
          <MadeDevices made={made} onSaved={() => setSaved(true)} />
          <div className={css.buttons}>
            <Button variant="default" disabled={!saved} onClick={close}>
              {t('common.done')}
            </Button>
          </div>
        </div>
      ) : (
        <MakeDevicesForm
          given={{ target: request.target, count: request.count }}
          onMade={setMade}
          frame={({ fields, send }) => (
            <div style={{ display: 'grid', gap: 12 }}>
              {fields}
              <div className={css.buttons}>
                <Button variant="default" onClick={close}>
                  {t('common.cancel')}
                </Button>
                {send}
              </div>
            </div>
          )}
        />
      )}
    </Modal>
  );
}
