import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { forms, lateMinutes } from 'virtual:actions/forms';
import type { ActionKey, ActionParam } from '@carillon/actions';
import type { TaskRecord, TaskRunRecord } from '@carillon/contracts';
import { Pager } from '../../../kit/grid/pager.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { StateWord } from '../../../kit/part/state.tsx';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { hasText, t } from '../../../kit/text/translate.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { choiceName } from '../action/choice-name.ts';
import { scopeOf, useScopeOptions } from '../action/scope.ts';
import { paceFacts } from '../pace/pace-words.ts';
import { taskRunsQuery } from './one-task.calls.ts';
import { scheduleWords, versionWords } from './schedule.ts';
import { ended } from './task-bar.tsx';
import css from './task-drawer.module.css';

/** Returns the name of an action's file parameter. */
function fileWord(action: string): string {
  const field = forms[action]?.find(({ kind }) => kind === 'file');
  const key = `deviceAction.${action as ActionKey}.param.${field?.key as ActionParam}` as const;
  return hasText(key) ? t(key) : t('menu.resources');
}

type Fact = readonly [name: string, value: string];

/** Returns that the files are made of templates. */
const templatesOf = ({ action, params }: TaskRecord): Fact[] =>
  params['by'] === 'template'
    ? [[t(`deviceAction.${action as ActionKey}.param.by`), choiceName(action, 'by', 'template')]]
    : [];

/** Returns which of several files is for what. */
function filesOf(task: TaskRecord, options: readonly (readonly [id: string, name: string])[]): Fact[] {
  const field = forms[task.action]?.find(({ kind }) => kind === 'pairs');
  const pairs = field && (task.params[field.key] as Record<string, string>[] | undefined);
  if (!pairs || task.files.length === 0) return [];
  return pairs.map((pair) => {
    const file = task.files.find(({ id }) => id === pair[`${field.noun!}Id`]);
    const name = options.find(([id]) => id === pair['of'])?.[1] ?? pair['of']!;
    return [name, [file?.name, file?.version].join(' ').trim()];
  });
}

/**
 * Returns what happens when a repeating task misses a time: it runs late within its window, unless its action applies
 * only to the current moment.
 */
function missedRule({ type, action, durationMinutes }: TaskRecord): Fact[] {
  if (type !== 'cycle') return [];
  const longest = lateMinutes[action] ?? 0;
  const minutes = longest === 0 ? 0 : (durationMinutes ?? longest);
  const rule =
    minutes === 0 ? t('taskTime.notMadeUp') : t('taskTime.madeUp', { count: minutes, number: count(minutes) });
  return [[t('taskTime.missedRule'), rule]];
}

/** Shows when a task runs and its limits; nothing for an immediate task without limits. */
export function TaskPlan({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const minutes = task.durationMinutes;
  const facts: Fact[] = [
    ...(task.file ? [[fileWord(task.action), [task.file.name, task.file.version].join(' ').trim()] as const] : []),
    ...templatesOf(task),
    ...filesOf(task, useScopeOptions(task.files.length > 0 ? scopeOf(task) : undefined)),
    ...(task.type === 'now'
      ? []
      : [[t('taskTime.when'), scheduleWords(task.schedule, task.timeZone, task.inSiteZones)] as const]),
    ...missedRule(task),
    ...(task.dueAt !== null && task.runs > 0 ? [[t('taskTime.next'), moment(task.dueAt).slice(0, 16)] as const] : []),
    ...(task.windowEndsAt === null ? [] : [[t('taskTime.windowEnds'), moment(task.windowEndsAt)] as const]),
    ...(minutes === null
      ? []
      : [[t('taskTime.limit'), t('taskTime.minutes', { count: minutes, number: count(minutes) })] as const]),
    ...(task.sync === 0
      ? []
      : [[t('taskTime.sync'), t('taskTime.atOnce', { count: task.sync, number: count(task.sync) })] as const]),
    ...paceFacts(task.pace),
    ...(task.versionRange === null ? [] : [[t('taskTime.version'), versionWords(task.versionRange)!] as const]),
    ...(task.missed === 0
      ? []
      : [
          [t('taskTime.missed'), t('taskTime.missedText', { count: task.missed, number: count(task.missed) })] as const,
        ]),
  ];
  if (facts.length === 0) return null;
  return (
    <div className={css.plan}>
      {task.file?.damaged === true && <p role="alert">{t('taskTime.fileDamaged')}</p>}
      <Facts items={facts} />
    </div>
  );
}

/** Lists the runs with their times and causes, newest first; the selected one's devices follow. */
export function TaskRuns({
  task,
  chosen,
  onChoose,
}: {
  task: TaskRecord;
  chosen: TaskRunRecord | undefined;
  /** Undefined means the last run, which is still updated. */
  onChoose: (run: TaskRunRecord | undefined) => void;
}) {
  const { t } = useText();
  const [page, setPage] = useState(1);
  const { data } = useQuery(taskRunsQuery(task.id, page));
  if (!data) return null;
  const current = chosen?.run ?? task.runs;
  return (
    <section className={css.runs} aria-label={t('taskTime.runList')}>
      <h3>{t('taskTime.runList')}</h3>
      <div className={css.sideways} tabIndex={0} role="group" aria-label={t('taskTime.runList')}>
        <table className={css.runTable}>
          <thead>
            <tr>
              <th scope="col">{t('taskTime.runs')}</th>
              <th scope="col">{t('task.status')}</th>
              <th scope="col">{t('taskTime.cause')}</th>
              <th scope="col">{t('taskTime.started')}</th>
              <th scope="col" className={css.end}>
                {t('task.progress')}
              </th>
              <th scope="col" className={css.end}>
                {t('count.fail')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.records.map((run) => (
              <tr key={run.run} data-chosen={run.run === current || undefined}>
                <td>
                  <button
                    type="button"
                    className="link"
                    aria-pressed={run.run === current}
                    onClick={() => onChoose(run.run === task.runs ? undefined : run)}
                  >
                    {t('taskTime.run', { number: run.run })}
                  </button>
                </td>
                <td>
                  <StateWord state={run.status} />
                </td>
                <td>{t(`taskTime.cause.${run.cause}`)}</td>
                <td>{moment(run.startedAt)}</td>
                <td className={css.end}>
                  {t('task.of', { done: count(ended(run.counts)), total: count(run.counts.total) })}
                </td>
                <td className={css.end}>{count(run.counts.fail + run.counts.timeout)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total > 5 && (
        <Pager
          state={{ search: '', page, limit: 5, sort: undefined, filters: {} }}
          total={data.total}
          onState={(s) => setPage(s.page)}
        />
      )}
    </section>
  );
}
