import { useState } from 'react';
import { Button, Checkbox, Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord, renewDeviceSecret as Renew, RouteOutput } from '@carillon/contracts';
import { call } from '../../../kit/api/call.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { endOldDeviceSecret, renewDeviceSecret } from '../record/device-change.calls.ts';
import { SecretCard } from './secret-card.tsx';
import css from '../../../kit/part/dialog.module.css';
import { useAction } from '../../../kit/part/use-action.ts';

/** Names the effect first: the old secret works until the device has used the new one, or ends at once. */
export default function RenewSecret({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const { t } = useText();
  const [secret, setSecret] = useState<RouteOutput<typeof Renew>>();
  const [endOld, setEndOld] = useState(false);
  const { busy, refusal, run } = useAction();
  const renew = () =>
    run(async () => {
      // Shown even when ending the old secret fails, because there is no second time.
      setSecret(await call(renewDeviceSecret, { params: { id: device.id } }));
      if (endOld) await call(endOldDeviceSecret, { params: { id: device.id } });
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret === undefined ? t('secret.renewTitle', { name: device.name }) : t('secret.newTitle')}
      withCloseButton={false}
      closeOnClickOutside={secret === undefined}
    >
      {secret === undefined ? (
        <>
          <p className={css.effect}>{t('secret.renewText')}</p>
          <Checkbox
            className={css.param}
            label={t('deviceAccess.endOld')}
            description={t('deviceAccess.endOldHint')}
            checked={endOld}
            onChange={(e) => setEndOld(e.currentTarget.checked)}
          />
        </>
      ) : (
        <SecretCard device={device} {...secret} />
      )}
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        {secret === undefined ? (
          <>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button loading={busy} color={endOld ? 'danger' : undefined} onClick={() => void renew()} data-autofocus>
              {t('device.renewSecret')}
            </Button>
          </>
        ) : (
          <Button onClick={onClose} data-autofocus>
            {t('common.done')}
          </Button>
        )}
      </div>
    </Modal>
  );
}
