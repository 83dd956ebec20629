import { Checkbox } from '@mantine/core';
import type { RetryClass, TaskPace } from '@carillon/contracts';
import { CheckField, NumberField } from '../../../kit/part/form-field.tsx';
import type { Form } from '../../../kit/part/use-form.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { retryClasses } from './pace-words.ts';
import css from './pace.module.css';

/** The values as typed. */
export interface PaceDraft {
  retries: boolean;
  tries: number | string;
  retryOf: string[];
  firstSeconds: number | string;
  spreadMinutes: number | string;
  siteSync: number | string;
  sitePerMinute: number | string;
}
export const noPace: PaceDraft = {
  retries: false,
  tries: 3,
  retryOf: [...retryClasses],
  firstSeconds: 60,
  spreadMinutes: 0,
  siteSync: 0,
  sitePerMinute: 0,
};

export const paceDraft = (pace: TaskPace | null): PaceDraft =>
  pace === null
    ? noPace
    : {
        ...noPace,
        ...(pace.retry
          ? {
              retries: true,
              tries: pace.retry.tries,
              retryOf: [...pace.retry.of],
              firstSeconds: pace.retry.firstSeconds,
            }
          : {}),
        spreadMinutes: pace.spreadMinutes,
        siteSync: pace.siteSync,
        sitePerMinute: pace.sitePerMinute,
      };

/** What can be set for an action: a door command is neither retried nor spread. */
export interface Pacing {
  retries: boolean;
  spreads: boolean;
}

export function readPace(draft: PaceDraft, { retries, spreads }: Pacing): TaskPace | null {
  const pace: TaskPace = {
    retry:
      draft.retries && retries
        ? {
            tries: Number(draft.tries),
            of: retryClasses.filter((kind): kind is RetryClass => draft.retryOf.includes(kind)),
            firstSeconds: Number(draft.firstSeconds),
          }
        : null,
    spreadMinutes: spreads ? Number(draft.spreadMinutes) : 0,
    siteSync: Number(draft.siteSync),
    sitePerMinute: Number(draft.sitePerMinute),
  };
  return pace.retry || pace.spreadMinutes + pace.siteSync + pace.sitePerMinute > 0 ? pace : null;
}

/** Sets the pace of a task, and its retries. */
export function PaceFields({
  form,
  pacing: { retries, spreads },
}: {
  form: Pick<Form<PaceDraft>, 'values' | 'set' | 'fault'>;
  pacing: Pacing;
}) {
  const { t } = useText();
  const { values, set, fault } = form;
  const number = (
    name: 'tries' | 'firstSeconds' | 'spreadMinutes' | 'siteSync' | 'sitePerMinute',
    min: number,
    max: number,
    description?: string,
  ) => <NumberField form={form} name={name} label={t(`pace.${name}`)} description={description} min={min} max={max} />;
  return (
    <>
      {spreads && number('spreadMinutes', 0, 1_440, t('pace.spreadHint'))}
      {number('siteSync', 0, 100_000, t('pace.siteHint'))}
      {number('sitePerMinute', 0, 600)}
      {retries && (
        <CheckField form={form} name="retries" label={t('pace.retries')} description={t('pace.retriesText')} />
      )}
      {retries && values.retries && (
        <>
          <div className={css.pair}>
            {number('tries', 2, 10)}
            {number('firstSeconds', 5, 3_600)}
          </div>
          <Checkbox.Group
            label={t('pace.of')}
            value={values.retryOf}
            onChange={(retryOf) => set({ retryOf })}
            error={fault('retryOf')}
          >
            <div className={css.list}>
              {retryClasses.map((kind) => (
                <Checkbox key={kind} name="retryOf" value={kind} label={t(`pace.of.${kind}`)} />
              ))}
            </div>
          </Checkbox.Group>
        </>
      )}
    </>
  );
}
