import { useState } from 'react';
import { Button, Drawer, Modal } from '@mantine/core';
import { IconCircleMinus, IconSquare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import type { TaskRecord } from '@carillon/contracts';
import { actionName } from '../action/actions.tsx';
import { Failed, useSlow } from '../../../kit/grid/states.tsx';
import { StateGlyph, StateWord } from '../../../kit/part/state.tsx';
import { one } from '../../../kit/session/address.ts';
import { done } from '../../../kit/part/done.ts';
import { useAccess, useUser } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { count, percent } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { cancelTask, isOver, stopTask, taskQuery } from './task.calls.ts';
import { countKinds, ended, TaskBar, type CountKind } from './task-bar.tsx';
import { TaskDevices } from './task-devices.tsx';
import css from './task-drawer.module.css';

/** A task as it goes, beside whatever page is open. Its address opens it again: a reload loses nothing (SHELL-17). */
export default function TaskDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const search = useLocation().search as Record<string, unknown>;
  const query = useQuery(taskQuery(id));
  const slow = useSlow(query.isPending);
  const task = query.data;
  const chosen = one(search['taskState']) as CountKind | 'problems' | undefined;
  const choose = (kind: CountKind | 'problems' | undefined) =>
    void navigate({
      to: '.',
      search: { ...search, taskState: kind === chosen ? undefined : kind } as never,
      replace: true,
    });
  return (
    <Drawer.Root opened onClose={onClose} size={760} padding={0}>
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
                <StateWord state={task.status} />
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
          {task && (
            <>
              <div className={css.content} tabIndex={0} role="group" aria-label={t('task.progress')}>
                <Summary task={task} />
                <TaskBar counts={task.counts} />
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
                        <strong>{count(task.counts[k.key])}</strong>
                      </button>
                    </li>
                  ))}
                </ul>
                <TaskDevices task={task} chosen={chosen} onChoose={choose} />
              </div>
              <Footer task={task} onClose={onClose} />
            </>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Summary({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const done = ended(task.counts);
  const minutes = (Date.now() - Date.parse(task.startedAt ?? task.createdAt)) / 60_000;
  const rate = done / minutes;
  const left = (task.counts.total - done) / rate;
  return (
    <div className={css.summary}>
      <strong className={css.percent}>{percent(done, task.counts.total, 0)}</strong>
      <span>
        {t('task.finishedOf', { done: count(done), count: task.counts.total, total: count(task.counts.total) })}
      </span>
      {task.expanded && !task.whole && <span>{t('task.onlySeen')}</span>}
      {!task.expanded && <span className={css.muted}>{t('task.preparing')}</span>}
      {task.expanded && !isOver(task.status) && done > 0 && minutes > 0.1 && Number.isFinite(left) && (
        <span className={css.muted}>
          {left < 1 ? t('task.underMinute') : t('task.left', { count: Math.ceil(left) })}
        </span>
      )}
    </div>
  );
}

/** Stopping lets what runs end; cancelling is for a task of which nothing was sent. */
function Footer({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [asking, setAsking] = useState<'stop' | 'cancel'>();
  const [busy, setBusy] = useState(false);
  const untouched = task.expanded && task.counts.wait === task.counts.total;
  const over = isOver(task.status);
  const { data: user } = useUser();
  /** A task ends whole: who sees a part of it leaves that to others, unless he ordered it. */
  const mayEnd = !over && (task.whole || task.creatorId === user?.userId);
  async function go() {
    setBusy(true);
    try {
      client.setQueryData(
        taskQuery(task.id).queryKey,
        await call(asking === 'stop' ? stopTask : cancelTask, { params: { id: task.id } }),
      );
      await done(asking === 'stop' ? 'stopped' : 'canceled', { name: task.name });
    } catch {
      /* the toast tells */
    }
    void client.invalidateQueries({ queryKey: ['task'] });
    void client.invalidateQueries({ queryKey: ['taskDevice'] });
    setBusy(false);
    setAsking(undefined);
  }
  const title = t(asking === 'cancel' ? 'task.cancelTitle' : 'task.stopTitle', { name: task.name });
  return (
    <div className={css.foot}>
      <span>
        {over
          ? t('task.over', { when: moment(task.endedAt) })
          : t(mayEnd || !task.expanded ? 'task.keepsRunning' : 'task.endedByOthers')}
      </span>
      <div className={css.buttons}>
        {mayEnd && untouched && access.can('cancelTask') && (
          <Button
            variant="default"
            data-danger
            leftSection={<IconCircleMinus size={15} stroke={1.75} />}
            onClick={() => setAsking('cancel')}
          >
            {t('task.cancel')}
          </Button>
        )}
        {mayEnd && access.can('stopTask') && (
          <Button
            variant="default"
            data-danger
            leftSection={<IconSquare size={15} stroke={1.75} />}
            onClick={() => setAsking('stop')}
          >
            {t('task.stop')}
          </Button>
        )}
        {over && (
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
      <Modal opened={asking !== undefined} onClose={() => setAsking(undefined)} title={title} withCloseButton={false}>
        <p className={css.text}>
          {asking === 'cancel'
            ? t('task.cancelText')
            : t('task.stopText', { running: count(task.counts.process), waiting: count(task.counts.wait) })}
        </p>
        <div className={css.buttons}>
          <Button variant="default" onClick={() => setAsking(undefined)} data-autofocus>
            {t('task.letRun')}
          </Button>
          <Button color="danger" loading={busy} onClick={() => void go()}>
            {title}
          </Button>
        </div>
      </Modal>
    </div>
  );
}
