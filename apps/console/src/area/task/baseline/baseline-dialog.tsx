import { Button, Checkbox, Modal, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useGranted } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { FileChoice } from '../action/file-choice.tsx';
import { oneFirmwareQuery } from '../action/action.calls.ts';
import { useScopeOptions } from '../action/scope.ts';
import { addBaseline, editBaseline, scopeOf, type Baseline, type BaselineScope } from './baseline.calls.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './baseline.module.css';

const scopes: readonly BaselineScope[] = ['model', 'site', 'group', 'mac'];
const fieldOf = { model: 'model', site: 'siteId', group: 'groupId', mac: 'mac' } as const;

/** Adds or edits a baseline. */
export default function BaselineDialog({ baseline, onClose }: { baseline: Baseline | undefined; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { values, set, fault, submit, refusal, busy } = useForm({
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
  const field = fieldOf[values.scope];
  const chosen = values[field].trim();
  const choices = useChoices(values, baseline);
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
    <Modal
      opened
      onClose={onClose}
      title={baseline ? t('baseline.editOne', { name: baseline.name }) : t('baseline.add')}
      withCloseButton={false}
    >
      <form onSubmit={submit(check, save)} noValidate style={{ display: 'grid', gap: 12 }}>
        <p>{t('baseline.does')}</p>
        <TextInput
          name="name"
          label={t('baseline.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <FileChoice
          noun="firmware"
          name="firmwareId"
          label={t('baseline.firmware')}
          value={values.firmwareId || undefined}
          onValue={(id) => set({ firmwareId: id ?? '' })}
          error={fault('firmwareId')}
        />
        <Select
          name="scope"
          label={t('baseline.scope')}
          data={scopes.map((value) => ({ value, label: t(`baseline.scope.${value}`) }))}
          value={values.scope}
          onChange={(scope) => set({ scope: (scope as BaselineScope | null) ?? values.scope })}
          allowDeselect={false}
          openOnFocus={false}
        />
        {values.scope === 'mac' ? (
          <TextInput
            name="mac"
            label={t('baseline.mac')}
            description={t('baseline.macHint')}
            maxLength={32}
            value={values.mac}
            onChange={(e) => set({ mac: e.currentTarget.value })}
            error={fault('mac')}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
          />
        ) : (
          <Select
            key={field}
            name={field}
            label={t(`baseline.${values.scope}`)}
            description={values.scope === 'site' ? t('baseline.siteHint') : undefined}
            data={choices}
            value={chosen || null}
            onChange={(value) => set({ [field]: value ?? '' })}
            error={fault(field)}
            allowDeselect={false}
            searchable={choices.length > 8}
            openOnFocus={false}
          />
        )}
        <Checkbox
          name="windowed"
          label={t('baseline.inWindow')}
          checked={values.windowed}
          onChange={(e) => set({ windowed: e.currentTarget.checked })}
        />
        {values.windowed && (
          <>
            <div className={css.pair}>
              {(['from', 'to'] as const).map((end) => (
                <TextInput
                  key={end}
                  name={end}
                  type="time"
                  label={t(`baseline.${end}`)}
                  value={values[end]}
                  onChange={(e) => set({ [end]: e.currentTarget.value.slice(0, 5) })}
                  error={fault(end)}
                />
              ))}
            </div>
            <Select
              name="timeZone"
              label={t('baseline.timeZone')}
              data={[...new Set([values.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
              value={values.timeZone}
              onChange={(zone) => set({ timeZone: zone ?? values.timeZone })}
              error={fault('timeZone')}
              allowDeselect={false}
              searchable
              openOnFocus={false}
            />
          </>
        )}
        <Checkbox
          name="active"
          label={t('baseline.active')}
          checked={values.active}
          onChange={(e) => set({ active: e.currentTarget.checked })}
        />
        <RefusalBox refusal={refusal} />
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(baseline ? 'common.save' : 'baseline.add')}
          </Button>
        </div>
      </form>
    </Modal>
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
