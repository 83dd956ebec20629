import { useAction } from '../../../kit/part/use-action.ts';
import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { catalogue } from 'virtual:actions';
import type { HealthCounts, HealthFact, TaskHealth, TaskRecord, TaskStage } from '@carillon/contracts';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count, percent } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { stageWaits } from '../approval/waits.ts';
import { stageWords } from '../rollout/rollout-words.ts';
import { pauseTask, resumeTask, taskQuery } from './one-task.calls.ts';
import css from './task-rollout.module.css';

const pausedTexts = {
  failures: 'rollout.pausedFailures',
  health: 'rollout.pausedHealth',
  successes: 'rollout.pausedSuccesses',
  window: 'rollout.pausedWindow',
  person: 'rollout.pausedPerson',
} as const;
const facts: readonly HealthFact[] = ['offline', 'lines', 'restarts'];

/** Shows the current stage of a task, why it is held, and how to continue (TASK-08). Needs `pageTexts`. */
export function TaskRollout({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const { data: user } = useUser();
  const { busy, run } = useAction();
  const isOpen = task.runs > 0 && task.endedAt === null;
  const mayHold = isOpen && (task.whole || task.creatorId === user?.userId);
  const isPaused = task.pausedAt !== null;
  const right = catalogue.find((a) => a.key === task.action)?.right;
  const may = mayHold && (isPaused ? right !== undefined && access.can('runTask', right) : access.can('stopTask'));
  if (!task.rollout && !isPaused && !may) return null;
  const go = async () => {
    await run(async () => {
      client.setQueryData(
        taskQuery(task.id).queryKey,
        await call(isPaused ? resumeTask : pauseTask, { params: { id: task.id } }),
      );
    });
    await client.invalidateQueries({ queryKey: ['task'] });
  };
  return (
    <div className={css.rollout}>
      {task.rollout && (
        <ol className={css.stages} aria-label={t('rollout.list')}>
          {task.rollout.stages.map((stage, index) => (
            <li
              key={stageWords(stage)}
              data-done={index + 1 < task.stage || undefined}
              aria-current={index + 1 === task.stage ? 'step' : undefined}
            >
              {stageWords(stage)}
            </li>
          ))}
        </ol>
      )}
      <div className={css.text}>
        {isPaused ? (
          <>
            <strong>{t(pausedTexts[task.pausedFor ?? 'person'])}</strong>
            {t(task.pausedFor === 'window' ? 'rollout.pausedWindowText' : 'rollout.pausedText')}
            {task.pausedFor !== 'person' &&
              task.pausedFor !== 'window' &&
              task.rollout?.rollback &&
              ` ${t('rollout.goesBack')}`}
          </>
        ) : (
          task.rollout && (
            <>
              {stageText(task.rollout.stages, task)}
              {isOpen && task.health?.stage === task.stage && task.health.found === null && (
                <strong>{t('rollout.watching', { at: moment(task.health.endsAt) })}</strong>
              )}
              {isOpen && task.nextStageAt !== null && !stageWaits(task) && (
                <strong>{t('rollout.nextAt', { at: moment(task.nextStageAt) })}</strong>
              )}
              {stageWaits(task) && <strong>{t('approval.stageWaits')}</strong>}
            </>
          )
        )}
      </div>
      {may && (
        <Button
          variant="default"
          loading={busy}
          leftSection={
            isPaused ? <IconPlayerPlay size={15} stroke={1.75} /> : <IconPlayerPause size={15} stroke={1.75} />
          }
          onClick={() => void go()}
        >
          {t(isPaused ? 'rollout.resume' : 'rollout.pause')}
        </Button>
      )}
      {task.health?.found && <Health stage={task.health.stage} found={task.health.found} />}
    </div>
  );

  function stageText(stages: readonly TaskStage[], { stage, planned }: TaskRecord): string {
    const current = stages[stage - 1]!;
    const progress = { stage, stages: stages.length, percent: stageWords(current) };
    if (typeof current !== 'number')
      return t('rollout.stageTag', { stage, stages: stages.length, tag: stageWords(current) });
    return planned === null
      ? t('rollout.stage', progress)
      : t('rollout.stageOf', { ...progress, count: planned, number: count(planned) });
  }
}

/** Compares the health of devices that a stage has changed with that of the others. */
function Health({ stage, found }: { stage: number; found: NonNullable<TaskHealth['found']> }) {
  const { t } = useText();
  const share = (counts: HealthCounts, fact: HealthFact): string =>
    t('rollout.healthOf', {
      count: count(counts[fact]),
      total: count(counts.devices),
      percent: percent(counts[fact], counts.devices),
    });
  return (
    <table className={css.health}>
      <caption>{t('rollout.health', { stage })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('rollout.healthFact')}</th>
          <th scope="col">{t('rollout.healthChanged')}</th>
          <th scope="col">{t('rollout.healthRest')}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => (
          <tr key={fact} data-worse={found.worse.includes(fact) || undefined}>
            <th scope="row">{t(`rollout.health.${fact}`)}</th>
            <td>{share(found.changed, fact)}</td>
            <td>{share(found.rest, fact)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
