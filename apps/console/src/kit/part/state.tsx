import {
  IconAlertTriangleFilled,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleFilled,
  IconCircleMinus,
  IconCircleXFilled,
  IconClock,
  IconHandStop,
  IconHourglass,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import type { DeviceState, TaskStatus } from '@carillon/contracts';
import css from './state.module.css';

interface Look {
  icon: Icon;
  size: number;
  stroke?: number;
  tone: string;
  spin?: true;
  loud?: true;
}

/** Every state has its own glyph and word; only errors colour the word (design, sections 1 and 2). */
const looks = {
  online: { icon: IconCircleFilled, size: 9, tone: 'online' },
  offline: { icon: IconCircle, size: 10, stroke: 3.2, tone: 'offline' },
  notConfigured: { icon: IconCircleDashed, size: 14, tone: 'not-configured' },
  abnormal: { icon: IconAlertTriangleFilled, size: 14, tone: 'abnormal', loud: true },
  wait: { icon: IconClock, size: 14, tone: 'offline' },
  process: { icon: IconLoader2, size: 14, stroke: 2.5, tone: 'running', spin: true },
  downloadSuccess: { icon: IconLoader2, size: 14, stroke: 2.5, tone: 'running', spin: true },
  success: { icon: IconCircleCheckFilled, size: 14, tone: 'online' },
  finished: { icon: IconCircleCheckFilled, size: 14, tone: 'online' },
  operated: { icon: IconCircleCheckFilled, size: 14, tone: 'online' },
  fail: { icon: IconCircleXFilled, size: 14, tone: 'abnormal', loud: true },
  timeout: { icon: IconHourglass, size: 14, tone: 'timeout', loud: true },
  cancel: { icon: IconCircleMinus, size: 14, tone: 'offline' },
  stop: { icon: IconHandStop, size: 14, tone: 'offline' },
} as const satisfies Record<DeviceState | TaskStatus, Look>;

export function StateGlyph({ state }: { state: DeviceState | TaskStatus }) {
  const look: Look = looks[state];
  const Glyph = look.icon;
  return (
    <span className={css.glyph} style={{ color: `var(--${look.tone})` }}>
      <Glyph size={look.size} stroke={look.stroke ?? 2} aria-hidden className={look.spin ? css.spin : undefined} />
    </span>
  );
}

export function StateWord({ state }: { state: DeviceState | TaskStatus }) {
  const { t } = useText();
  const look: Look = looks[state];
  return (
    <span className={css.state} style={look.loud ? { color: `var(--${look.tone})` } : undefined}>
      <StateGlyph state={state} />
      {t(`state.${state}`)}
    </span>
  );
}
