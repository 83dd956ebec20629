import { MultiSelect } from '@mantine/core';
import { longestStageWaitMinutes, longestWatchMinutes } from '@carillon/contracts/constants';
import type { TaskRollout, TaskStage } from '@carillon/contracts';
import { CheckField, NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import type { Form } from '../../../kit/part/use-form.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import type { TextKey } from '../../../kit/text/key.ts';

/** The values as typed. */
export interface RolloutDraft {
  inStages: boolean;
  stagesBy: 'percent' | 'tag';
  stages: string;
  /** Tags as `key=value`, in the order of their stages. */
  stageTags: string[];
  pauseAt: number | '';
  /** Empty: no least share of successes. */
  successAt: number | '';
  /** Empty: the next stage begins at once. */
  waitMinutes: number | '';
  rollback: boolean;
  watches: boolean;
  watchMinutes: number | '';
  unwellAt: number | '';
}
export const noRollout: RolloutDraft = {
  inStages: false,
  stagesBy: 'percent',
  stages: '5, 25, 100',
  stageTags: [],
  pauseAt: 5,
  successAt: '',
  waitMinutes: '',
  rollback: false,
  watches: false,
  watchMinutes: 15,
  unwellAt: 5,
};
type Fault = 'stages' | 'stageTags' | 'pauseAt' | 'successAt' | 'waitMinutes' | 'watchMinutes' | 'unwellAt';

export function rolloutDraft(rollout: TaskRollout | null): RolloutDraft {
  const shares = rollout?.stages.filter((stage) => typeof stage === 'number') ?? [];
  return rollout === null
    ? noRollout
    : {
        inStages: true,
        stagesBy: rollout.stages.some((stage) => typeof stage === 'object') ? 'tag' : 'percent',
        stages: shares.length > 0 ? shares.join(', ') : noRollout.stages,
        stageTags: rollout.stages.flatMap((stage) =>
          typeof stage === 'object' ? [`${stage.key}=${stage.value}`] : [],
        ),
        pauseAt: rollout.pauseAt,
        successAt: rollout.successAt ?? '',
        waitMinutes: rollout.waitMinutes ?? '',
        rollback: rollout.rollback ?? false,
        watches: rollout.health !== undefined,
        watchMinutes: rollout.health?.minutes ?? noRollout.watchMinutes,
        unwellAt: rollout.health?.pauseAt ?? noRollout.unwellAt,
      };
}

/** Stages by tags, besides the rest. */
const mostTags = 9;

const isBetween = (value: number | '', least: number, most: number): value is number =>
  value !== '' && Number.isInteger(value) && value >= least && value <= most;

/** Returns the stages from typed values; null when they are wrong. */
function readStages({ stagesBy, stages, stageTags }: RolloutDraft): TaskStage[] | null {
  if (stagesBy === 'tag')
    return stageTags.length < 1 || stageTags.length > mostTags
      ? null
      : [
          ...stageTags.map((tag) => ({ key: tag.slice(0, tag.indexOf('=')), value: tag.slice(tag.indexOf('=') + 1) })),
          'rest',
        ];
  const shares = stages
    .split(/[\s,;%]+/)
    .filter((part) => part !== '')
    .map(Number);
  const rises = shares.every(
    (share, i) => Number.isInteger(share) && share >= 1 && (i === 0 || share > shares[i - 1]!),
  );
  return shares.length >= 2 && shares.length <= 10 && rises && shares.at(-1) === 100 ? shares : null;
}

/** Returns the rollout from typed values, or the texts of its faults by field. */
export function readRollout(
  draft: RolloutDraft,
): { rollout: TaskRollout | null; faults: null } | { rollout: null; faults: Partial<Record<Fault, TextKey>> } {
  if (!draft.inStages) return { rollout: null, faults: null };
  const stages = readStages(draft);
  const { pauseAt, successAt, waitMinutes, rollback, watches, watchMinutes: minutes, unwellAt } = draft;
  const isShare = isBetween(pauseAt, 1, 100);
  const isLong = isBetween(minutes, 1, longestWatchMinutes);
  const isMore = isBetween(unwellAt, 1, 100);
  const isWait = waitMinutes === '' || isBetween(waitMinutes, 1, longestStageWaitMinutes);
  const isLeast = successAt === '' || isBetween(successAt, 1, 100);
  if (stages && isShare && isLeast && isWait && (!watches || (isLong && isMore)))
    return {
      rollout: {
        stages,
        pauseAt,
        ...(successAt === '' ? {} : { successAt }),
        ...(waitMinutes === '' ? {} : { waitMinutes }),
        ...(rollback ? { rollback } : {}),
        ...(watches && isLong && isMore ? { health: { minutes, pauseAt: unwellAt } } : {}),
      },
      faults: null,
    };
  return {
    rollout: null,
    faults: {
      ...(stages
        ? {}
        : draft.stagesBy === 'tag'
          ? { stageTags: 'rollout.stageTagsWrong' }
          : { stages: 'rollout.stagesWrong' }),
      ...(isShare ? {} : { pauseAt: 'rollout.pauseAtWrong' }),
      ...(isLeast ? {} : { successAt: 'rollout.pauseAtWrong' }),
      ...(isWait ? {} : { waitMinutes: 'rollout.waitMinutesWrong' }),
      ...(!watches || isLong ? {} : { watchMinutes: 'rollout.watchMinutesWrong' }),
      ...(!watches || isMore ? {} : { unwellAt: 'rollout.pauseAtWrong' }),
    },
  };
}

type RolloutForm = Pick<Form<RolloutDraft>, 'values' | 'set' | 'fault'>;

/** Sets the order of a rollout: all at once, or in stages that pause automatically. */
export function RolloutFields({
  form,
  goesBack,
  tags,
}: {
  form: RolloutForm;
  /** Whether the effect on devices can be undone. */
  goesBack: boolean;
  /** The tags in use, as `key=value`. */
  tags: readonly string[];
}) {
  const { t } = useText();
  return (
    <>
      <CheckField form={form} name="inStages" label={t('rollout.inStages')} description={t('rollout.inStagesText')} />
      {form.values.inStages && (
        <>
          <StageFields form={form} tags={tags} />
          <NumberField form={form} name="pauseAt" label={t('rollout.pauseAt')} min={1} max={100} suffix=" %" />
          <NumberField
            form={form}
            name="successAt"
            label={t('rollout.successAt')}
            description={t('rollout.successAtHelp')}
            min={1}
            max={100}
            suffix=" %"
          />
          <NumberField
            form={form}
            name="waitMinutes"
            label={t('rollout.waitMinutes')}
            description={t('rollout.waitMinutesHelp')}
            min={1}
            max={longestStageWaitMinutes}
          />
          <HealthFields form={form} />
          {goesBack && (
            <CheckField
              form={form}
              name="rollback"
              label={t('rollout.rollback')}
              description={t('rollout.rollbackText')}
            />
          )}
        </>
      )}
    </>
  );
}

/** The stages, by shares of the devices or by tags. */
function StageFields({ form, tags }: { form: RolloutForm; tags: readonly string[] }) {
  const { t } = useText();
  const { values, set, fault } = form;
  return (
    <>
      <SelectField
        form={form}
        name="stagesBy"
        label={t('rollout.stagesBy')}
        data={(['percent', 'tag'] as const).map((by) => ({ value: by, label: t(`rollout.stagesBy.${by}`) }))}
      />
      {values.stagesBy === 'tag' ? (
        <MultiSelect
          name="stageTags"
          label={t('rollout.stageTags')}
          description={t('rollout.stageTagsHelp')}
          data={[...new Set([...values.stageTags, ...tags])].map((tag) => ({
            value: tag,
            label: tag.replace('=', ': '),
          }))}
          value={values.stageTags}
          error={fault('stageTags')}
          onChange={(stageTags) => set({ stageTags })}
          maxValues={mostTags}
          nothingFoundMessage={t('rollout.noTags')}
          searchable
          openOnFocus={false}
        />
      ) : (
        <TextField
          form={form}
          name="stages"
          label={t('rollout.stages')}
          description={t('rollout.stagesHelp')}
          inputMode="numeric"
        />
      )}
    </>
  );
}

/** Pauses the rollout when changed devices are less healthy than the others. */
function HealthFields({ form }: { form: RolloutForm }) {
  const { t } = useText();
  return (
    <>
      <CheckField form={form} name="watches" label={t('rollout.watches')} description={t('rollout.watchesText')} />
      {form.values.watches && (
        <>
          <NumberField
            form={form}
            name="watchMinutes"
            label={t('rollout.watchMinutes')}
            min={1}
            max={longestWatchMinutes}
          />
          <NumberField
            form={form}
            name="unwellAt"
            label={t('rollout.unwellAt')}
            description={t('rollout.unwellAtHelp')}
            min={1}
            max={100}
            suffix=" %"
          />
        </>
      )}
    </>
  );
}
