import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { linesInUse, lineTone } from '@carillon/contracts/device-line';
import css from './lines.module.css';

/**
 * Shows a bar per used line: tall for registered, short for failed, hollow for not registered; and the same in figures.
 * All bars of an offline device are hollow, because nobody can reach its lines.
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
