import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { linesInUse, lineTone } from '@carillon/contracts/device-line';
import css from './lines.module.css';

/**
 * A bar per line that is in use: tall registered, short failed, hollow not registered; and the same in figures. Of a
 * device that is offline nobody can reach any: all of them are hollow.
 */
export function LinesCell({
  device: { lines, onlineSince },
  phone = false,
}: {
  device: Pick<DeviceRecord, 'lines' | 'onlineSince'>;
  phone?: boolean;
}) {
  const { t } = useText();
  const online = onlineSince !== null;
  const used = lines.filter((l) => l.status !== 'unassigned');
  const { good, bad } = linesInUse(used, online);
  if (used.length === 0) return <>{phone ? t('device.noLine') : '–'}</>;
  return (
    <span
      className={css.lines}
      data-bad={bad || undefined}
      title={t('device.linesRegistered', { registered: good, total: used.length })}
    >
      <span className={css.bars} aria-hidden>
        {used.slice(0, 6).map((l) => (
          <i key={l.line} className={css[online ? lineTone(l.status) : 'idle']} />
        ))}
      </span>
      {good}/{used.length}
    </span>
  );
}
