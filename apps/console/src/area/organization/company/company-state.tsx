import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleMinus,
  IconLockFilled,
  type Icon,
} from '@tabler/icons-react';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/state.module.css';
import type { Company } from './company.calls.ts';

const looks: Record<Company['status'], { icon: Icon; tone: string }> = {
  normal: { icon: IconCircleCheckFilled, tone: 'online' },
  inactive: { icon: IconCircleDashed, tone: 'not-configured' },
  disabled: { icon: IconCircleMinus, tone: 'offline' },
  deactivated: { icon: IconCircleMinus, tone: 'offline' },
  locked: { icon: IconLockFilled, tone: 'abnormal' },
};

/** Shows the state of a company by a glyph and a word (CHN-01). */
export function CompanyState({ status }: { status: Company['status'] }) {
  const { t } = useText();
  const { icon: Glyph, tone } = looks[status];
  return (
    <span className={css.state}>
      <span className={css.glyph} style={{ color: `var(--${tone})` }}>
        <Glyph size={14} stroke={2} aria-hidden />
      </span>
      {t(`companyStatus.${status}`)}
    </span>
  );
}
