import { IconAlertTriangleFilled, IconBell, IconInfoCircle, IconCertificate, IconCpu } from '@tabler/icons-react';
import { useText } from '../../../kit/text/use-text.ts';
import css from './alarm-page.module.css';

const looks = {
  high: { icon: IconAlertTriangleFilled, tone: 'abnormal' },
  medium: { icon: IconBell, tone: 'timeout' },
  low: { icon: IconInfoCircle, tone: 'offline' },
} as const;

export function Level({ level }: { level: keyof typeof looks }) {
  const { t } = useText();
  const { icon: Glyph, tone } = looks[level];
  return (
    <span className={css.level} data-loud={level === 'high' || undefined}>
      <Glyph size={14} stroke={2} aria-hidden style={{ color: `var(--${tone})` }} />
      {t(`level.${level}`)}
    </span>
  );
}

/** Returns the icon of a notice by its type. */
export function NoticeIcon({ type }: { type: number }) {
  const Glyph =
    type === -4 || type === -5
      ? IconCertificate
      : type === -2
        ? IconCpu
        : type === -3 || type === 9 || type === 0 || type === 5
          ? IconAlertTriangleFilled
          : IconBell;
  return (
    <Glyph
      size={16}
      stroke={1.75}
      aria-hidden
      style={{
        color:
          type === 9 || type === 0 || type === 5 || type === -3
            ? 'var(--abnormal)'
            : type <= -4
              ? 'var(--timeout)'
              : 'var(--text-2)',
        flex: 'none',
      }}
    />
  );
}
