import { useRef, useState } from 'react';
import { Button, Modal, Radio } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCircleMinus,
  IconCopy,
  IconPlayerPlay,
  IconRefresh,
  IconSquare,
  IconTemplate,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { catalogue } from 'virtual:actions';
import { lazy } from '../../../kit/part/lazy.tsx';
import { fileAction } from '../action/file-action.ts';
import type { ActionKey } from '@carillon/actions';
import type { PermissionKey, TaskRecord } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { hasText } from '../../../kit/text/translate.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { cancelTask, isOver, rerunTask, runTask, stopTask, taskQuery } from './one-task.calls.ts';
import { stageWaits, waitsForApproval } from '../approval/waits.ts';
import { Rollback } from './task-rollback.tsx';
import { waitsForTime } from './schedule.ts';
import css from './task-drawer.module.css';

/** Questions that are asked before an action. */
export type Asking = 'stop' | 'cancel' | 'run' | 'rerun' | 'rollback' | 'template';
const SaveTaskTemplate = lazy(() => import('./save-task-template.tsx'));
const icon = { size: 15, stroke: 1.75 } as const;

/**
 * The actions of a task, for whom and when (TASK-04). Stopping lets running devices finish; cancelling is for a task
 * without running devices.
 */
export function TaskFooter({
  task,
  asking,
  onAsking,
  onClose,
}: {
  task: TaskRecord;
  asking: Asking | undefined;
  onAsking: (asking: Asking | undefined) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const access = useAccess();
  /** Only firmware can be rolled back. */
  const bringsFirmware = task.action === fileAction('firmware');
  const { data: user } = useUser();
  const opener = useRef<Element>(null);
  const ask = (what: Asking) => {
    opener.current = document.activeElement;
    onAsking(what);
  };
  /** Returns the focus to the button that opened the question, if it still exists. */
  const close = () => {
    onAsking(undefined);
    setTimeout(() => (opener.current as HTMLElement | null)?.focus());
  };
  const over = isOver(task.status);
  const waits = waitsForTime(task);
  // While a stage waits, earlier stages continue.
  const isAsked = waitsForApproval(task) && !stageWaits(task);
  /** A task that was refused, or cancelled while it waited for approval, cannot run again. */
  const mayRunAgain = task.approval === null || task.approval.state === 'approved';
  const untouched = task.expanded && task.counts.wait === task.counts.total;
  /** Actions apply to the whole task: only users who see all of it, and its creator, may use them. */
  const mayGo = task.whole || task.creatorId === user?.userId;
  const actionRight = catalogue.find((a) => a.key === task.action)?.right;
  const may = (right: PermissionKey) => mayGo && actionRight !== undefined && access.can(right, actionRight);
  const mayCancel = mayGo && !over && (waits || isAsked || untouched) && access.can('cancelTask');
  const mayStop = mayGo && !over && access.can('stopTask') && !((waits || isAsked) && mayCancel);
  // After a stop running devices finish first.
  const quiet = task.counts.process + task.counts.wait === 0;
  return (
    <div className={css.foot}>
      <span>
        {over
          ? t('task.over', { when: moment(task.endedAt) })
          : task.pausedAt === null &&
            (isAsked
              ? t('approval.foot')
              : t(
                  mayGo || !task.expanded ? (waits ? 'taskTime.waitsFoot' : 'task.keepsRunning') : 'task.endedByOthers',
                ))}
      </span>
      <div className={css.buttons}>
        {access.can('addTask') && (
          <Button
            variant="default"
            component={Link}
            to="/task/addTask"
            search={{ copy: task.id } as never}
            leftSection={<IconCopy {...icon} />}
          >
            {t('taskTime.copy')}
          </Button>
        )}
        {actionRight !== undefined && access.can('addTask', actionRight) && (
          <Button variant="default" leftSection={<IconTemplate {...icon} />} onClick={() => ask('template')}>
            {t('taskTemplate.save')}
          </Button>
        )}
        {mayCancel && (
          <Button
            variant="default"
            data-danger
            leftSection={<IconCircleMinus {...icon} />}
            onClick={() => ask('cancel')}
          >
            {t('task.cancel')}
          </Button>
        )}
        {mayStop && (
          <Button variant="default" data-danger leftSection={<IconSquare {...icon} />} onClick={() => ask('stop')}>
            {t('task.stop')}
          </Button>
        )}
        {waits && may('runTask') && (
          <Button variant="default" leftSection={<IconPlayerPlay {...icon} />} onClick={() => ask('run')}>
            {t('taskTime.runNow')}
          </Button>
        )}
        {over && quiet && mayRunAgain && may('rerunTask') && (
          <Button variant="default" leftSection={<IconRefresh {...icon} />} onClick={() => ask('rerun')}>
            {t('taskTime.rerun')}
          </Button>
        )}
        {bringsFirmware && ((over && quiet) || task.pausedAt !== null) && task.runs > 0 && may('addTask') && (
          <Button variant="default" leftSection={<IconArrowBackUp {...icon} />} onClick={() => ask('rollback')}>
            {t('rollback.button')}
          </Button>
        )}
        {over && (
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
      {asking === 'rollback' && <Rollback task={task} onClose={close} />}
      {asking === 'template' && <SaveTaskTemplate task={task} onClose={close} />}
      {asking && asking !== 'rollback' && asking !== 'template' && (
        <Question key={asking} task={task} asking={asking} onClose={close} />
      )}
    </div>
  );
}

/** Asks the question for an action, naming its effect. */
function Question({
  task,
  asking,
  onClose,
}: {
  task: TaskRecord;
  asking: Exclude<Asking, 'rollback' | 'template'>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const failed = task.counts.fail + task.counts.timeout;
  const [only, setOnly] = useState<'all' | 'failed'>(failed > 0 ? 'failed' : 'all');
  const { busy, refusal, run } = useAction();
  const ends = asking === 'stop' || asking === 'cancel';
  const params = { id: task.id };
  const go = async () => {
    await run(async () => {
      const now = await (asking === 'rerun'
        ? call(rerunTask, { params, body: { only } })
        : call(asking === 'run' ? runTask : asking === 'stop' ? stopTask : cancelTask, { params }));
      client.setQueryData(taskQuery(task.id).queryKey, now);
      if (ends) await done(asking === 'stop' ? 'stopped' : 'canceled', { name: task.name });
      onClose();
    });
    void client.invalidateQueries({ queryKey: ['task'] });
    void client.invalidateQueries({ queryKey: ['taskDevice'] });
  };
  const title = {
    cancel: () => t('task.cancelTitle', { name: task.name }),
    stop: () => t('task.stopTitle', { name: task.name }),
    run: () => t('taskTime.runNowTitle', { name: task.name }),
    rerun: () => t('taskTime.rerunTitle', { name: task.name }),
  }[asking]();
  const key = `deviceAction.${task.action as ActionKey}.effect` as const;
  const effect = hasText(key) ? t(key) : '';
  const when = moment(task.dueAt).slice(0, 16);
  const text = {
    cancel: () => t(waitsForTime(task) || waitsForApproval(task) ? 'taskTime.cancelText' : 'task.cancelText'),
    stop: () => t('task.stopText', { running: count(task.counts.process), waiting: count(task.counts.wait) }),
    run: () => t(task.type === 'cycle' ? 'taskTime.runNowCycle' : 'taskTime.runNowOnce', { effect, when }),
    rerun: () => t('taskTime.rerunText', { effect }),
  }[asking]();
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <p className={css.text}>{text}</p>
      {asking === 'rerun' && (
        <Radio.Group
          className={css.text}
          value={only}
          onChange={(v) => setOnly(v as 'all' | 'failed')}
          aria-label={t('menu.devices')}
        >
          <div className={css.choices}>
            <Radio
              value="failed"
              disabled={failed === 0}
              label={t('taskTime.rerunFailed', { number: count(failed) })}
            />
            <Radio value="all" label={t('taskTime.rerunAll')} />
          </div>
        </Radio.Group>
      )}
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t(ends ? 'task.letRun' : 'common.cancel')}
        </Button>
        <Button {...(ends ? { color: 'danger' } : {})} loading={busy} onClick={() => void go()}>
          {ends ? title : t(asking === 'run' ? 'taskTime.runNow' : 'taskTime.rerun')}
        </Button>
      </div>
    </Modal>
  );
}
