import { IconCircle, IconCircleCheckFilled, IconCircleXFilled, IconPhone } from '@tabler/icons-react';
import type { LineStatus } from '@carillon/contracts';
import { lineTone } from '@carillon/contracts/device-line';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../record/device-parts.module.css';

const glyphs = {
  good: <IconCircleCheckFilled size={14} aria-hidden />,
  bad: <IconCircleXFilled size={14} aria-hidden />,
  idle: <IconCircle size={10} stroke={3} aria-hidden />,
};

/** How a line is registered: a glyph and a word. */
export function LineState({ status }: { status: LineStatus }) {
  const { t } = useText();
  return (
    <span className={css.lineState} data-tone={lineTone(status)}>
      {status === 'calling' ? <IconPhone size={14} stroke={2} aria-hidden /> : glyphs[lineTone(status)]}
      {t(`line.${status}`)}
    </span>
  );
}
