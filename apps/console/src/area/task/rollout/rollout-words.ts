import type { TaskRollout, TaskStage } from '@carillon/contracts';
import { count, percent } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';

/** Returns a stage in words: its share of the devices, its tag, or the rest. */
export const stageWords = (stage: TaskStage): string =>
  typeof stage === 'number'
    ? percent(stage, 100, 0)
    : stage === 'rest'
      ? t('rollout.rest')
      : `${stage.key}: ${stage.value}`;

/** Returns a rollout as facts: its stages, the health check between them, and the rollback. */
export function rolloutFacts(rollout: TaskRollout | null): (readonly [name: string, words: string])[] {
  if (rollout === null) return [];
  const { stages, pauseAt, successAt, health, rollback, waitMinutes } = rollout;
  const isByTag = stages.some((stage) => typeof stage !== 'number');
  const words = stages.map(stageWords).join(isByTag ? ' → ' : ', ');
  return [
    [
      t('rollout.list'),
      t(isByTag ? 'rollout.planTags' : 'rollout.plan', { stages: words, percent: percent(pauseAt, 100, 0) }),
    ],
    ...(successAt === undefined
      ? []
      : [[t('rollout.successAt'), t('rollout.successPlan', { percent: percent(successAt, 100, 0) })] as const]),
    ...(waitMinutes === undefined
      ? []
      : [
          [
            t('rollout.waitMinutes'),
            t('taskTime.minutes', { count: waitMinutes, number: count(waitMinutes) }),
          ] as const,
        ]),
    ...(health
      ? [
          [
            t('rollout.watches'),
            t('rollout.watchPlan', {
              count: health.minutes,
              number: count(health.minutes),
              percent: percent(health.pauseAt, 100, 0),
            }),
          ] as const,
        ]
      : []),
    ...(rollback ? [[t('rollout.rollback'), t('common.yes')] as const] : []),
  ];
}
