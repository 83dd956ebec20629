import {
  IconAlertTriangleFilled,
  IconCircle,
  IconCircleCheckFilled,
  IconLock,
  IconLockOpen2,
} from '@tabler/icons-react';
import type { DoorStatus } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../record/device-parts.module.css';

const bad = { tone: 'bad', glyph: <IconAlertTriangleFilled size={14} aria-hidden /> };
const looks = {
  open: { tone: 'open', glyph: <IconLockOpen2 size={14} stroke={2} aria-hidden /> },
  closed: { tone: 'good', glyph: <IconLock size={14} stroke={2} aria-hidden /> },
  notClosed: bad,
  abnormal: bad,
  normal: { tone: 'good', glyph: <IconCircleCheckFilled size={14} aria-hidden /> },
  unknown: { tone: 'idle', glyph: <IconCircle size={10} stroke={3} aria-hidden /> },
} as const satisfies Record<DoorStatus, { tone: string; glyph: React.ReactNode }>;

/** Shows the state of a door by a glyph and a word. */
export function DoorState({ status }: { status: DoorStatus }) {
  const { t } = useText();
  const { tone, glyph } = looks[status];
  return (
    <span className={css.lineState} data-tone={tone}>
      {glyph}
      {t(`door.status.${status}`)}
    </span>
  );
}
