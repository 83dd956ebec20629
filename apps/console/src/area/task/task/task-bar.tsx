import { useText } from '../../../kit/text/use-text.ts';
import type { TaskRecord } from '@carillon/contracts';
import css from './task-bar.module.css';

type Counts = TaskRecord['counts'];
/** Always in this order (design, section 7), with the statuses that each one counts. */
export const countKinds = [
  { key: 'success', state: 'success', statuses: ['success', 'finished', 'operated'] },
  { key: 'fail', state: 'fail', statuses: ['fail'] },
  { key: 'timeout', state: 'timeout', statuses: ['timeout'] },
  { key: 'cancel', state: 'cancel', statuses: ['cancel', 'stop'] },
  { key: 'process', state: 'process', statuses: ['process', 'downloadSuccess'] },
  { key: 'wait', state: 'wait', statuses: ['wait'] },
] as const satisfies readonly { key: keyof Counts; state: string; statuses: readonly string[] }[];
export type CountKind = (typeof countKinds)[number]['key'];

export const ended = (c: Counts) => c.success + c.fail + c.timeout + c.cancel;

/** Shows the progress of a task: a part per state, hatched for running devices. */
export function TaskBar({ counts, thin = false }: { counts: Counts; thin?: boolean }) {
  const { t } = useText();
  const done = ended(counts);
  return (
    <span
      className={thin ? `${css.bar} ${css.thin}` : css.bar}
      role="progressbar"
      aria-label={t('task.progress')}
      aria-valuemin={0}
      aria-valuemax={counts.total}
      aria-valuenow={done}
      aria-valuetext={t('task.progressText', { done, total: counts.total })}
    >
      {countKinds
        .filter((k) => k.key !== 'wait' && counts[k.key] > 0)
        .map((k) => (
          <i key={k.key} className={css[k.key]} style={{ flexGrow: counts[k.key] }} />
        ))}
      {counts.wait > 0 && <i style={{ flexGrow: counts.wait }} />}
    </span>
  );
}
