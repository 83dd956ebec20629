import { IconAlertTriangleFilled } from '@tabler/icons-react';
import type { DevicePlace } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { placeNames } from '../device-log/what.ts';
import css from '../record/device-parts.module.css';

/** Names the two devices that use one identity in turn, and the cure. */
export default function SharedNote({ places }: { places: readonly DevicePlace[] }) {
  const { t } = useText();
  return (
    <div className={css.problem} role="status">
      <IconAlertTriangleFilled size={14} aria-hidden />
      <p>
        <strong>{t('deviceLog.shared', placeNames(places))}</strong> {t('deviceLog.sharedCure')}
      </p>
    </div>
  );
}
