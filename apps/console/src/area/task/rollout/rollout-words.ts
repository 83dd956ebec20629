import type { TaskRollout } from '@carillon/contracts';
import { count, percent } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';

/** Returns a rollout as facts: its stages, the health check between them, and the rollback. */
export function rolloutFacts(rollout: TaskRollout | null): (readonly [name: string, words: string])[] {
  if (rollout === null) return [];
  const { stages, pauseAt, health, rollback } = rollout;
  const shares = stages.map((share) => percent(share, 100, 0)).join(', ');
  return [
    [t('rollout.list'), t('rollout.plan', { stages: shares, percent: percent(pauseAt, 100, 0) })],
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
