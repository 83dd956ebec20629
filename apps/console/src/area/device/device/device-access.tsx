import { IconBan } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { disableDevices, enableDevices } from '../record/device-change.calls.ts';
import css from '../record/device-parts.module.css';

/** Explains why a disabled device stays offline. */
export function DisabledNote() {
  const { t } = useText();
  return (
    <div className={css.problem} role="status">
      <IconBan size={14} aria-hidden />
      <p>
        <strong>{t('deviceAccess.disabled')}</strong>
      </p>
    </div>
  );
}

/** Disables or enables a device. */
export default function DeviceAccess({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { name, enabled } = device;
  return (
    <AskDialog
      title={t(enabled ? 'deviceAccess.disableTitle' : 'deviceAccess.enableTitle', { name })}
      text={t(enabled ? 'deviceAccess.disableText' : 'deviceAccess.enableText')}
      danger={enabled}
      onClose={onClose}
      onConfirm={async () => {
        await call(enabled ? disableDevices : enableDevices, { body: { ids: [device.id] } });
        await client.invalidateQueries({ queryKey: ['device'] });
        await done(enabled ? 'disabled' : 'enabled', { name });
      }}
    />
  );
}
