import { useState } from 'react';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import type { TaskDeviceRecord, TaskRecord, TaskRunRecord } from '@carillon/contracts';
import { actionName } from '../action/actions.tsx';
import { Failed, useSlow } from '../../../kit/grid/states.tsx';
import { StateGlyph, StateWord } from '../../../kit/part/state.tsx';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { one } from '../../../kit/browser/address.ts';
import { count, percent } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { waitsForApproval } from '../approval/waits.ts';
import { isOver, taskQuery } from './one-task.calls.ts';
import { countKinds, ended, TaskBar, type CountKind } from './task-bar.tsx';
import { TaskApproval } from './task-approval.tsx';
import { TaskMeant } from './task-meant.tsx';
import { TaskReasons } from './task-reasons.tsx';
import { TaskRollout } from './task-rollout.tsx';
import { TaskByHand } from './task-by-hand.tsx';
import { TaskDevices } from './task-devices.tsx';
import { TaskFooter, type Asking } from './task-footer.tsx';
import { TaskPlan, TaskRuns } from './task-plan.tsx';
import css from './task-drawer.module.css';

/** Shows a running task beside any page. Its URL opens it again, so a reload loses nothing (SHELL-17). */
export default function TaskDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const search = useLocation().search as Record<string, unknown>;
  const query = useQuery(taskQuery(id));
  const slow = useSlow(query.isPending);
  const task = query.data;
  const [earlier, setEarlier] = useState<TaskRunRecord>();
  const [asking, setAsking] = useState<Asking>();
  const [refusing, setRefusing] = useState(false);
  const [byHand, setByHand] = useState<TaskDeviceRecord>();
  const access = useAccess();
  const { data: user } = useUser();
  const chosen = one(search['taskState']) as CountKind | 'problems' | undefined;
  const code = codeIn(search);
  const narrow = (to: {
    taskState?: CountKind | 'problems' | undefined;
    taskCode?: string;
    'taskCode.empty'?: 'true';
  }) =>
    void navigate({
      to: '.',
      search: { ...search, taskCode: undefined, 'taskCode.empty': undefined, ...to } as never,
      replace: true,
    });
  const choose = (kind: CountKind | 'problems' | undefined) =>
    narrow({ taskState: kind === chosen && code === undefined ? undefined : kind });
  const chooseCode = (to: string | undefined) =>
    narrow({
      taskState: 'problems',
      ...(to === undefined ? {} : to === '' ? { 'taskCode.empty': 'true' } : { taskCode: to }),
    });
  const counts = earlier?.counts ?? task?.counts;
  const whole = task && counts && (earlier ? counts : withPlanned(task));
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      size={760}
      padding={0}
      closeOnEscape={asking === undefined && byHand === undefined && !refusing}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body className={css.body}>
          <div className={css.head}>
            <div className={css.title}>
              <Drawer.Title className="ellipsis" title={task?.name}>
                {task?.name ?? t(slow ? 'common.loading' : 'task.task')}
              </Drawer.Title>
              <Drawer.CloseButton aria-label={t('common.close')} />
            </div>
            {task && (
              <p className={css.line}>
                {task.pausedAt === null ? (
                  <StateWord state={task.status} />
                ) : (
                  <strong>{t('rollout.pausedPerson')}</strong>
                )}
                <span>{t('task.numbered', { number: task.number })}</span>
                <span>{actionName(task.action)}</span>
                <span>{task.creatorName}</span>
                <span>{moment(task.createdAt)}</span>
              </p>
            )}
          </div>
          {query.isError && !task && (
            <div className={css.failed}>
              <Failed text={t('task.failed')} error={query.error} onRetry={() => void query.refetch()} />
            </div>
          )}
          {task && counts && whole && (
            <>
              <div className={css.content} tabIndex={0} role="group" aria-label={t('task.progress')}>
                <TaskApproval key={task.id} task={task} onAsking={setRefusing} />
                <TaskPlan task={task} />
                {waitsForApproval(task) && <TaskMeant task={task} />}
                {task.runs === 0 ? (
                  <Unrun task={task} />
                ) : (
                  <>
                    {task.runs > 1 && <TaskRuns task={task} chosen={earlier} onChoose={setEarlier} />}
                    {earlier ? (
                      <div className={css.summary}>
                        <strong>{t('taskTime.run', { number: earlier.run })}</strong>
                        <span>{moment(earlier.startedAt)}</span>
                        <StateWord state={earlier.status} />
                      </div>
                    ) : (
                      <Summary task={task} />
                    )}
                    <TaskBar counts={whole} />
                    {!earlier && <TaskRollout task={task} />}
                    <ul className={css.counts} aria-label={t('task.byState')}>
                      {countKinds.map((k) => (
                        <li key={k.key}>
                          <button
                            type="button"
                            className={css.count}
                            aria-pressed={chosen === k.key}
                            onClick={() => choose(k.key)}
                          >
                            <span>
                              <StateGlyph state={k.state} />
                              {t(`count.${k.key}`)}
                            </span>
                            <strong>{count(counts[k.key])}</strong>
                          </button>
                        </li>
                      ))}
                    </ul>
                    {counts.fail + counts.timeout > 0 && (
                      <TaskReasons task={task} run={earlier?.run} chosen={code} onChoose={chooseCode} />
                    )}
                    <TaskDevices
                      task={task}
                      run={earlier?.run}
                      counts={counts}
                      chosen={chosen}
                      code={code}
                      onChoose={choose}
                      mayReport={
                        !earlier &&
                        !isOver(task.status) &&
                        (task.whole || task.creatorId === user?.userId) &&
                        access.can('stopTask')
                      }
                      onReport={setByHand}
                    />
                  </>
                )}
              </div>
              {byHand && <TaskByHand task={task} device={byHand} onClose={() => setByHand(undefined)} />}
              <TaskFooter key={task.id} task={task} asking={asking} onAsking={setAsking} onClose={onClose} />
            </>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Returns the code of the reason whose devices are listed, empty for devices without one. */
const codeIn = (search: Record<string, unknown>): string | undefined =>
  one(search['taskCode']) ?? (one(search['taskCode.empty']) === 'true' ? '' : undefined);

/** Shown before the first run: nothing is called started, and its devices are not known yet. */
function Unrun({ task }: { task: TaskRecord }) {
  const { t } = useText();
  if (waitsForApproval(task)) return null;
  return (
    <div className={css.unrun}>
      {task.dueAt !== null ? (
        <>
          <strong>{t('taskTime.waits', { when: moment(task.dueAt).slice(0, 16) })}</strong>
          <p>{t('taskTime.waitsText')}</p>
        </>
      ) : (
        <p>{t(isOver(task.status) ? 'taskTime.endedUnrun' : 'task.preparing')}</p>
      )}
    </div>
  );
}

/** Adds the devices of stages that have not started to the waiting ones, while the task is running. */
function withPlanned({ counts, planned, endedAt }: TaskRecord): TaskRecord['counts'] {
  const total = endedAt === null ? Math.max(planned ?? 0, counts.total) : counts.total;
  return { ...counts, total, wait: counts.wait + total - counts.total };
}

function Summary({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const done = ended(task.counts);
  const minutes = (Date.now() - Date.parse(task.startedAt ?? task.createdAt)) / 60_000;
  const rate = done / minutes;
  const { total } = withPlanned(task);
  const left = (total - done) / rate;
  const isBegun = task.rollout === null || task.stage === task.rollout.stages.length;
  return (
    <div className={css.summary}>
      <strong className={css.percent}>{percent(done, total, 0)}</strong>
      <span>{t('task.finishedOf', { done: count(done), count: total, total: count(total) })}</span>
      {task.expanded && isBegun && !task.whole && <span>{t('task.onlySeen')}</span>}
      {!task.expanded && <span className={css.muted}>{t('task.preparing')}</span>}
      {task.waitingIdle > 0 && (
        <span>{t('taskWait.idle', { count: task.waitingIdle, number: count(task.waitingIdle) })}</span>
      )}
      {task.expanded &&
        !isOver(task.status) &&
        task.endedAt === null &&
        task.pausedAt === null &&
        isBegun &&
        task.waitingIdle === 0 &&
        done > 0 &&
        minutes > 0.1 &&
        Number.isFinite(left) && (
          <span className={css.muted}>
            {left < 1 ? t('task.underMinute') : t('task.left', { count: Math.ceil(left) })}
          </span>
        )}
    </div>
  );
}
