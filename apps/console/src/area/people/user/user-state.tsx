import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleMinus,
  IconLockFilled,
  type Icon,
} from '@tabler/icons-react';
import type { UserRecord } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/state.module.css';

const looks: Record<UserRecord['status'], { icon: Icon; tone: string; loud?: true }> = {
  normal: { icon: IconCircleCheckFilled, tone: 'online' },
  inactive: { icon: IconCircleDashed, tone: 'not-configured' },
  disabled: { icon: IconCircleMinus, tone: 'offline' },
  locked: { icon: IconLockFilled, tone: 'abnormal', loud: true },
};

/** Shows the status of a user by a glyph and a word (USER-01). */
export function UserState({ status }: { status: UserRecord['status'] }) {
  const { t } = useText();
  const { icon: Glyph, tone, loud } = looks[status];
  return (
    <span className={css.state} style={loud ? { color: `var(--${tone})` } : undefined}>
      <span className={css.glyph} style={{ color: `var(--${tone})` }}>
        <Glyph size={14} stroke={2} aria-hidden />
      </span>
      {t(`userStatus.${status}`)}
    </span>
  );
}
