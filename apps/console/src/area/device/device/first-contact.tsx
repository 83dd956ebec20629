import { IconCircleCheckFilled, IconLoader2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceQuery } from '../record/device.calls.ts';
import state from '../../../kit/part/state.module.css';
import css from './first-contact.module.css';

/** Says how to connect a device that was just added, waits for it, and shows what it reports. */
export function FirstContact({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const now = useQuery(deviceQuery(device.id)).data;
  // It may restart right after its first contact.
  const isConnected = now !== undefined && (now.onlineSince !== null || now.lastOnlineAt !== null);
  return (
    <>
      <ol className={css.steps}>
        <li>{t('deviceForm.stepEnter')}</li>
        <li>{t('deviceForm.stepSave')}</li>
        <li>{t('deviceForm.stepWait')}</li>
      </ol>
      <div className={css.contact} role="status" data-connected={isConnected || undefined}>
        {isConnected ? (
          <IconCircleCheckFilled size={16} aria-hidden />
        ) : (
          <IconLoader2 size={16} stroke={2} aria-hidden className={state.spin} />
        )}
        <div>
          <strong>{t(isConnected ? 'deviceForm.connected' : 'deviceForm.waiting', { name: device.name })}</strong>
          <p>
            {isConnected
              ? [now.model, now.firmware, now.internalIp].filter((part) => part !== null).join(' · ')
              : t('deviceForm.waitingText')}
          </p>
        </div>
      </div>
    </>
  );
}
