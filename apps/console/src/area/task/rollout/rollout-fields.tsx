import type { ReactNode } from 'react';
import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { longestWatchMinutes } from '@carillon/contracts/constants';
import type { TaskRollout } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import type { TextKey } from '../../../kit/text/key.ts';

/** The values as typed. */
export interface RolloutDraft {
  inStages: boolean;
  stages: string;
  pauseAt: number | '';
  rollback: boolean;
  watches: boolean;
  watchMinutes: number | '';
  unwellAt: number | '';
}
export const noRollout: RolloutDraft = {
  inStages: false,
  stages: '5, 25, 100',
  pauseAt: 5,
  rollback: false,
  watches: false,
  watchMinutes: 15,
  unwellAt: 5,
};
type Fault = 'stages' | 'pauseAt' | 'watchMinutes' | 'unwellAt';

export const rolloutDraft = (rollout: TaskRollout | null): RolloutDraft =>
  rollout === null
    ? noRollout
    : {
        inStages: true,
        stages: rollout.stages.join(', '),
        pauseAt: rollout.pauseAt,
        rollback: rollout.rollback ?? false,
        watches: rollout.health !== undefined,
        watchMinutes: rollout.health?.minutes ?? noRollout.watchMinutes,
        unwellAt: rollout.health?.pauseAt ?? noRollout.unwellAt,
      };

const isBetween = (value: number | '', least: number, most: number): value is number =>
  value !== '' && Number.isInteger(value) && value >= least && value <= most;

/** Returns the rollout from typed values, or the texts of its faults by field. */
export function readRollout(
  draft: RolloutDraft,
): { rollout: TaskRollout | null; faults: null } | { rollout: null; faults: Partial<Record<Fault, TextKey>> } {
  if (!draft.inStages) return { rollout: null, faults: null };
  const stages = draft.stages
    .split(/[\s,;%]+/)
    .filter((part) => part !== '')
    .map(Number);
  const rises = stages.every(
    (share, i) => Number.isInteger(share) && share >= 1 && (i === 0 || share > stages[i - 1]!),
  );
  const isRight = stages.length >= 2 && stages.length <= 10 && rises && stages.at(-1) === 100;
  const { pauseAt, rollback, watches, watchMinutes: minutes, unwellAt } = draft;
  const isShare = isBetween(pauseAt, 1, 100);
  const isLong = isBetween(minutes, 1, longestWatchMinutes);
  const isMore = isBetween(unwellAt, 1, 100);
  if (isRight && isShare && (!watches || (isLong && isMore)))
    return {
      rollout: {
        stages,
        pauseAt,
        ...(rollback ? { rollback } : {}),
        ...(watches && isLong && isMore ? { health: { minutes, pauseAt: unwellAt } } : {}),
      },
      faults: null,
    };
  return {
    rollout: null,
    faults: {
      ...(isRight ? {} : { stages: 'rollout.stagesWrong' }),
      ...(isShare ? {} : { pauseAt: 'rollout.pauseAtWrong' }),
      ...(!watches || isLong ? {} : { watchMinutes: 'rollout.watchMinutesWrong' }),
      ...(!watches || isMore ? {} : { unwellAt: 'rollout.pauseAtWrong' }),
    },
  };
}

/** Sets the order of a rollout: all at once, or in stages that pause automatically. */
export function RolloutFields({
  draft,
  onDraft,
  fault,
  goesBack,
}: {
  draft: RolloutDraft;
  onDraft: (change: Partial<RolloutDraft>) => void;
  fault: (field: Fault) => ReactNode;
  /** Whether the effect on devices can be undone. */
  goesBack: boolean;
}) {
  const { t } = useText();
  return (
    <>
      <Checkbox
        name="inStages"
        label={t('rollout.inStages')}
        description={t('rollout.inStagesText')}
        checked={draft.inStages}
        onChange={(e) => onDraft({ inStages: e.currentTarget.checked })}
      />
      {draft.inStages && (
        <>
          <TextInput
            name="stages"
            label={t('rollout.stages')}
            description={t('rollout.stagesHelp')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.stages}
            error={fault('stages')}
            onChange={(e) => onDraft({ stages: e.currentTarget.value })}
          />
          <NumberInput
            name="pauseAt"
            label={t('rollout.pauseAt')}
            min={1}
            max={100}
            suffix=" %"
            allowDecimal={false}
            value={draft.pauseAt}
            error={fault('pauseAt')}
            onChange={(v) => onDraft({ pauseAt: v === '' ? '' : Number(v) })}
          />
          <Checkbox
            name="watches"
            label={t('rollout.watches')}
            description={t('rollout.watchesText')}
            checked={draft.watches}
            onChange={(e) => onDraft({ watches: e.currentTarget.checked })}
          />
          {draft.watches && (
            <>
              <NumberInput
                name="watchMinutes"
                label={t('rollout.watchMinutes')}
                min={1}
                max={longestWatchMinutes}
                allowDecimal={false}
                value={draft.watchMinutes}
                error={fault('watchMinutes')}
                onChange={(v) => onDraft({ watchMinutes: v === '' ? '' : Number(v) })}
              />
              <NumberInput
                name="unwellAt"
                label={t('rollout.unwellAt')}
                description={t('rollout.unwellAtHelp')}
                min={1}
                max={100}
                suffix=" %"
                allowDecimal={false}
                value={draft.unwellAt}
                error={fault('unwellAt')}
                onChange={(v) => onDraft({ unwellAt: v === '' ? '' : Number(v) })}
              />
            </>
          )}
          {goesBack && (
            <Checkbox
              name="rollback"
              label={t('rollout.rollback')}
              description={t('rollout.rollbackText')}
              checked={draft.rollback}
              onChange={(e) => onDraft({ rollback: e.currentTarget.checked })}
            />
          )}
        </>
      )}
    </>
  );
}
