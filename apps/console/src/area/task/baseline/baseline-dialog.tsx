import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { CheckField, SelectField, TextField, ZoneField } from '../../../kit/part/form-field.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { FileChoice } from '../action/file-choice.tsx';
import { oneFirmwareQuery } from '../action/action.calls.ts';
import { useScopeOptions } from '../action/scope.ts';
import { addBaseline, editBaseline, scopeOf, type Baseline, type BaselineScope } from './baseline.calls.ts';
import css from './baseline.module.css';

const scopes: readonly BaselineScope[] = ['model', 'site', 'group', 'mac'];
const fieldOf = { model: 'model', site: 'siteId', group: 'groupId', mac: 'mac' } as const;

const valuesOf = (baseline: Baseline | undefined) => ({
  name: baseline?.name ?? '',
  firmwareId: baseline?.firmwareId ?? '',
  scope: scopeOf(baseline),
  mac: baseline?.mac ? macText(baseline.mac) : '',
  model: baseline?.model ?? '',
  siteId: baseline?.siteId ?? '',
  groupId: baseline?.groupId ?? '',
  active: baseline?.active ?? true,
  windowed: baseline ? baseline.from !== null : true,
  from: baseline?.from ?? '22:00',
  to: baseline?.to ?? '05:00',
  timeZone: baseline?.timeZone ?? ownZone(),
});
type Values = ReturnType<typeof valuesOf>;

/** Adds or edits a baseline. */
export default function BaselineDialog({ baseline, onClose }: { baseline: Baseline | undefined; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm(valuesOf(baseline));
  const { values, set, fault } = form;
  const field = fieldOf[values.scope];
  const chosen = values[field].trim();
  const save = async () => {
    const { name, firmwareId, active, windowed, from, to, timeZone } = values;
    const body = {
      name: name.trim(),
      firmwareId,
      mac: null,
      model: null,
      siteId: null,
      groupId: null,
      [field]: chosen,
      active,
      ...(windowed ? { from, to, timeZone } : { from: null, to: null, timeZone: null }),
    };
    await (baseline ? call(editBaseline, { body: { id: baseline.id, ...body } }) : call(addBaseline, { body }));
    await client.invalidateQueries({ queryKey: ['baseline'] });
    onClose();
    await done(baseline ? 'saved' : 'added', { name: body.name });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('baseline.nameMissing') } : {}),
    ...(values.firmwareId === '' ? { firmwareId: t('baseline.firmwareMissing') } : {}),
    ...(chosen === '' ? { [field]: t(`baseline.${values.scope}Missing`) } : {}),
    ...(values.windowed
      ? {
          ...(values.from === '' ? { from: t('baseline.timeMissing') } : {}),
          ...(values.to === ''
            ? { to: t('baseline.timeMissing') }
            : values.to === values.from
              ? { to: t('baseline.timeSame') }
              : {}),
        }
      : {}),
  });
  return (
    <FormDialog
      title={baseline ? t('baseline.editOne', { name: baseline.name }) : t('baseline.add')}
      form={form}
      confirm={t(baseline ? 'common.save' : 'baseline.add')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <p>{t('baseline.does')}</p>
      <TextField form={form} name="name" label={t('baseline.name')} maxLength={64} data-autofocus />
      <FileChoice
        noun="firmware"
        name="firmwareId"
        label={t('baseline.firmware')}
        value={values.firmwareId || undefined}
        onValue={(id) => set({ firmwareId: id ?? '' })}
        error={fault('firmwareId')}
      />
      <SelectField
        form={form}
        name="scope"
        label={t('baseline.scope')}
        data={scopes.map((value) => ({ value, label: t(`baseline.scope.${value}`) }))}
        openOnFocus={false}
      />
      <ScopeField form={form} baseline={baseline} />
      <WindowFields form={form} />
      <CheckField form={form} name="active" label={t('baseline.active')} />
    </FormDialog>
  );
}

/** The device, model, site or group that the baseline is for. */
function ScopeField({ form, baseline }: { form: Form<Values>; baseline: Baseline | undefined }) {
  const { t } = useText();
  const choices = useChoices(form.values, baseline);
  const { scope } = form.values;
  if (scope === 'mac')
    return (
      <TextField
        form={form}
        name="mac"
        label={t('baseline.mac')}
        description={t('baseline.macHint')}
        maxLength={32}
        code
      />
    );
  return (
    <SelectField
      key={scope}
      form={form}
      name={fieldOf[scope]}
      label={t(`baseline.${scope}`)}
      description={scope === 'site' ? t('baseline.siteHint') : undefined}
      data={choices}
      openOnFocus={false}
    />
  );
}

/** The hours in which devices may be changed. */
function WindowFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  return (
    <>
      <CheckField form={form} name="windowed" label={t('baseline.inWindow')} />
      {form.values.windowed && (
        <>
          <div className={css.pair}>
            {(['from', 'to'] as const).map((end) => (
              <TextField
                key={end}
                form={form}
                name={end}
                type="time"
                label={t(`baseline.${end}`)}
                also={(time) => ({ [end]: time.slice(0, 5) })}
              />
            ))}
          </div>
          <ZoneField form={form} name="timeZone" label={t('baseline.timeZone')} />
        </>
      )}
    </>
  );
}

/** Returns the available scopes: only models of the chosen firmware, and the current value. */
function useChoices(
  { scope, firmwareId }: { scope: BaselineScope; firmwareId: string },
  baseline: Baseline | undefined,
): { value: string; label: string }[] {
  const { t } = useText();
  const mayFirmware = useGranted('/resources/firmwares');
  const options = useScopeOptions(scope === 'mac' ? undefined : scope);
  const { data: firmware } = useQuery({
    ...oneFirmwareQuery(firmwareId),
    enabled: mayFirmware && scope === 'model' && firmwareId !== '',
  });
  const had: Record<BaselineScope, readonly (readonly [string | null | undefined, string])[]> = {
    model: [[baseline?.model, baseline?.model ?? '']],
    site: [[baseline?.siteId, baseline?.site?.name ?? t('baseline.siteGone')]],
    group: [[baseline?.groupId, t('baseline.groupGone')]],
    mac: [],
  };
  const known = scope === 'model' && firmware ? firmware.models.map((name) => [name, name] as const) : options;
  const all = new Map([...had[scope].filter(([value]) => value), ...known] as [string, string][]);
  return [...all].map(([value, label]) => ({ value, label }));
}
