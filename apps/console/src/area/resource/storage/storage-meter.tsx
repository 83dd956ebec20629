import { useQuery } from '@tanstack/react-query';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { fileSize } from '../../../kit/upload/file.ts';
import { storageQuery } from './storage.calls.ts';
import css from './storage-meter.module.css';

/**
 * Shows how much of its storage the company uses (STORE-06), and the download rate of devices. Hidden when there is no
 * limit.
 */
export function StorageMeter({ list }: { list: 'firmware' | 'resourceFile' | 'configFile' }) {
  const { t } = useText();
  const { data } = useQuery(storageQuery(list));
  if (!data || (data.quota === null && data.downloadMbit === null)) return null;
  const { used, quota, state, downloadMbit } = data;
  const said = quota === null ? '' : t('storage.used', { used: fileSize(used), quota: fileSize(quota) });
  return (
    <div className={css.strip}>
      {quota !== null && (
        <>
          <div
            // A native `meter` cannot be styled as thin as this.
            role="meter"
            className={css.meter}
            data-state={state}
            aria-label={t('storage.meter')}
            aria-valuenow={used}
            aria-valuemin={0}
            aria-valuemax={quota}
            aria-valuetext={said}
          >
            <i style={{ width: `${Math.min(100, (used / quota) * 100)}%` }} />
          </div>
          <span>{said}</span>
        </>
      )}
      {state !== 'enough' && (
        <strong className={css.warning} data-state={state}>
          {t(`storage.${state}`)}
        </strong>
      )}
      {downloadMbit !== null && <span>{t('storage.bandwidth', { mbit: count(downloadMbit) })}</span>}
    </div>
  );
}
