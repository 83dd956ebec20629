import { useEffect, useState } from 'react';
import { IconClock } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import { clock } from '../text/time.ts';
import { onChange, useLive } from './live.ts';
import css from './live-mark.module.css';

/** Shows "Live", or since when the page is stale. When `short`, the text is for screen readers only. */
export function LiveMark({ short = false }: { short?: boolean }) {
  const { t } = useText();
  const { live, since } = useLive();
  return live ? (
    <span className={css.mark} data-short={short || undefined}>
      <span className={css.dot} />
      <span className={short ? 'hidden-text' : undefined}>{t('live.live')}</span>
    </span>
  ) : (
    <span className={css.mark} role="status">
      <IconClock size={14} stroke={1.75} aria-hidden className={css.stale} />
      {t('live.stale', { time: clock(since) })}
    </span>
  );
}

const everyMs = 10_000;

/** Announces changes to screen readers: a summary at most every ten seconds, never per row. */
export function LiveSummary() {
  const { t } = useText();
  const [text, setText] = useState('');
  useEffect(() => {
    const devices = new Set<string>();
    let many = false;
    const stop = onChange((change) => {
      if (change.kind !== 'device') return;
      if (change.ids === 'many') many = true;
      else change.ids.forEach((id) => devices.add(id));
    });
    const timer = setInterval(() => {
      if (devices.size === 0 && !many) return;
      setText(many ? t('live.manyChanged') : t('live.changed', { count: devices.size }));
      devices.clear();
      many = false;
    }, everyMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [t]);
  return (
    <div aria-live="polite" className="hidden-text">
      {text}
    </div>
  );
}
