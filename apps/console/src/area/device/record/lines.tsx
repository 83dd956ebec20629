import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { linesInUse, lineTone } from '@carillon/contracts/device-line';
import css from './lines.module.css';

type Line = DeviceRecord['lines'][number];

/** A bar per line that is in use: tall registered, short failed, hollow not registered; and the same in figures. */
export function LinesCell({ lines, phone = false }: { lines: readonly Line[]; phone?: boolean }) {
  const { t } = useText();
  const used = lines.filter((l) => l.status !== 'unassigned');
  const { good, bad } = linesInUse(used);
  if (used.length === 0) return <>{phone ? t('device.noLine') : '–'}</>;
  return (
    <span
      className={css.lines}
      data-bad={bad || undefined}
      title={t('device.linesRegistered', { registered: good, total: used.length })}
    >
      <span className={css.bars} aria-hidden>
        {used.slice(0, 6).map((l) => (
          <i key={l.line} className={css[lineTone(l.status)]} />
        ))}
      </span>
      {good}/{used.length}
    </span>
  );
}
