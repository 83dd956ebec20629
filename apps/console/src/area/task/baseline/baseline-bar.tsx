import { useText } from '../../../kit/text/use-text.ts';
import { count } from '../../../kit/text/text.ts';
import type { Baseline } from './baseline.calls.ts';
import css from './baseline.module.css';

/** Shows how many of the devices have the version, and how many are stuck. */
export function BaselineBar({ baseline: { inScope, counts } }: { baseline: Baseline }) {
  const { t } = useText();
  const values = { done: count(counts.onVersion), total: count(inScope) };
  const rest = inScope - counts.onVersion - counts.stuck;
  return (
    <span className={css.bar}>
      <span
        className={css.track}
        role="progressbar"
        aria-label={t('baseline.progress')}
        aria-valuemin={0}
        aria-valuemax={inScope}
        aria-valuenow={counts.onVersion}
        aria-valuetext={t('baseline.progressText', values)}
      >
        {counts.onVersion > 0 && <i className={css.onVersion} style={{ flexGrow: counts.onVersion }} />}
        {counts.stuck > 0 && <i className={css.stuck} style={{ flexGrow: counts.stuck }} />}
        {rest > 0 && <i style={{ flexGrow: rest }} />}
      </span>
      <span className={css.number}>
        {values.done}/{values.total}
      </span>
    </span>
  );
}
