import { IconCircle, IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled, IconPhone } from '@tabler/icons-react';
import type { LineStatus } from '@carillon/contracts';
import { lineTone } from '@carillon/contracts/device-line';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../record/device-parts.module.css';

const glyphs = {
  good: <IconCircleCheckFilled size={14} aria-hidden />,
  bad: <IconCircleXFilled size={14} aria-hidden />,
  idle: <IconCircle size={10} stroke={3} aria-hidden />,
};

/**
 * Shows the registration of a line by a glyph and a word; for an offline device the last known state, hollow. `waiting`
 * is a line whose account the phone does not have yet.
 */
export function LineState({ status, online = true }: { status: LineStatus | 'waiting'; online?: boolean }) {
  const { t } = useText();
  if (status === 'waiting')
    return (
      <span className={css.lineState} data-tone="idle">
        <IconCircleDashed size={12} stroke={2.5} aria-hidden />
        {t('lineCause.waiting')}
      </span>
    );
  return (
    <span className={css.lineState} data-tone={online ? lineTone(status) : 'idle'}>
      {online && status === 'calling' ? (
        <IconPhone size={14} stroke={2} aria-hidden />
      ) : (
        glyphs[online ? lineTone(status) : 'idle']
      )}
      {t(`line.${status}`)}
    </span>
  );
}
