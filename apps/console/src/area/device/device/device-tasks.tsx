import { useQuery } from '@tanstack/react-query';
import type { TaskDeviceRecord, TaskPace } from '@carillon/contracts';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { actionName } from '../../task/action/actions.tsx';
import { Failed } from '../../../kit/grid/states.tsx';
import { StateWord } from '../../../kit/part/state.tsx';
import { deviceTasksQuery, reasonOf } from '../../task/task/one-task.calls.ts';
import { nextWords, triedWords } from '../../task/pace/pace-words.ts';
import { length, moment } from '../../../kit/text/time.ts';
import css from '../record/device-parts.module.css';

/** Returns the reason of the state, after the failed attempts, one per line. */
const history = (pace: TaskPace | null, device: TaskDeviceRecord): string =>
  [...triedWords(device), nextWords(pace, device) ?? reasonOf(device) ?? ''].join('\n').trim();

/** Shows the tasks of a device, newest first. */
export function DeviceTasks({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery(deviceTasksQuery(id));
  if (query.isError && !query.data)
    return <Failed text={t('task.listFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  if (query.data.records.length === 0) return <p className={css.none}>{t('device.noTasks')}</p>;
  return (
    <div className={css.box} tabIndex={0} role="group" aria-label={t('menu.tasks')}>
      <table className={`${css.table} ${css.stacked}`}>
        <thead>
          <tr>
            <th scope="col">{t('device.state')}</th>
            <th scope="col">{t('task.name')}</th>
            <th scope="col">{t('task.action')}</th>
            <th scope="col">{t('task.reason')}</th>
            <th scope="col">{t('task.begun')}</th>
            <th scope="col">{t('task.time')}</th>
          </tr>
        </thead>
        <tbody>
          {query.data.records.map((task) => (
            <tr key={`${task.id} ${task.device.run}`}>
              <td className={css.atState}>
                <StateWord state={task.device.status} />
              </td>
              <td className={css.atName}>
                <Link
                  to="."
                  search={(s: Record<string, unknown>) => ({ ...s, task: task.id }) as never}
                  className="link"
                >
                  {task.name}
                </Link>
              </td>
              <td className={css.atSub}>{actionName(task.action)}</td>
              <td className={`${css.server} ${css.atWide}`} title={history(task.pace, task.device)}>
                {nextWords(task.pace, task.device) ?? reasonOf(task.device) ?? '–'}
              </td>
              <td className={css.atTime}>{moment(task.device.sentAt ?? task.createdAt)}</td>
              <td className={css.atNone}>{length(task.device.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
