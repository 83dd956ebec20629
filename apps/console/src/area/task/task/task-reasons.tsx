import { useQuery } from '@tanstack/react-query';
import type { TaskRecord } from '@carillon/contracts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { taskReasonsQuery } from './one-task.calls.ts';
import css from './task-result.module.css';

/** Lists why devices of a run failed, the most frequent reason first, and shows the devices of one. */
export function TaskReasons({
  task,
  run,
  chosen,
  onChoose,
}: {
  task: TaskRecord;
  /** An earlier run; the last one when absent. */
  run: number | undefined;
  /** Code of the reason whose devices are listed; empty for devices without one. */
  chosen: string | undefined;
  onChoose: (code: string | undefined) => void;
}) {
  const { t } = useText();
  const { data } = useQuery(taskReasonsQuery(task.id, run));
  if (!data || data.reasons.length === 0) return null;
  return (
    <section className={css.reasons} aria-label={t('taskResult.reasons')}>
      <h3>{t('taskResult.reasons')}</h3>
      <ul>
        {data.reasons.map(({ code, message, count: devices }) => {
          const key = code ?? '';
          const reason = message ?? code ?? t('taskResult.noReason');
          return (
            <li key={key}>
              <span className="ellipsis" title={reason}>
                {reason}
              </span>
              <strong>{count(devices)}</strong>
              <button
                type="button"
                className="link"
                aria-pressed={chosen === key}
                aria-label={`${t('taskResult.showThese')}: ${reason}`}
                onClick={() => onChoose(chosen === key ? undefined : key)}
              >
                {t('taskResult.showThese')}
              </button>
            </li>
          );
        })}
        {data.others > 0 && (
          <li>
            <span>{t('taskResult.others')}</span>
            <strong>{count(data.others)}</strong>
          </li>
        )}
      </ul>
    </section>
  );
}
