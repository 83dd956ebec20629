import { MultiSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { TextField, ZoneField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { zoneMinute } from '../task/schedule.ts';
import { addFreezePeriod, editFreezePeriod, siteNamesQuery, type FreezePeriod } from './freeze-period.calls.ts';

const hourMs = 3_600_000;
/** Returns the next full hour of the user's clock. */
const nextHour = (): string =>
  `${zoneMinute(Date.now() + hourMs, ownZone())
    .replace(' ', 'T')
    .slice(0, 13)}:00`;

/** Adds or edits a freeze period. */
export default function FreezePeriodDialog({
  period,
  onClose,
}: {
  period: FreezePeriod | undefined;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  // Users who may not see devices see only the sites that are chosen.
  const { data: sites = [] } = useQuery({ ...siteNamesQuery, enabled: useGranted('/device/list') });
  const form = useForm({
    name: period?.name ?? '',
    siteIds: period?.siteIds ?? [],
    begin: period?.begin ?? nextHour(),
    end: period?.end ?? '',
    timeZone: period?.timeZone ?? ownZone(),
  });
  const { values, set, fault } = form;
  const names = new Map([
    ...(period?.siteIds ?? []).map((id) => [id, t('freezePeriod.sitesGone')] as const),
    ...(period?.sites ?? []).map((s) => [s.id, s.name] as const),
    ...sites.map((s) => [s.id, s.path.join(' / ')] as const),
  ]);
  const save = async () => {
    const body = { ...values, name: values.name.trim() };
    await (period ? call(editFreezePeriod, { body: { id: period.id, ...body } }) : call(addFreezePeriod, { body }));
    await client.invalidateQueries({ queryKey: ['freezePeriod'] });
    // Waiting devices show the new end.
    await client.invalidateQueries({ queryKey: ['taskDevice'] });
    onClose();
    await done(period ? 'saved' : 'added', { name: body.name });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('freezePeriod.nameMissing') } : {}),
    ...(values.begin === '' ? { begin: t('freezePeriod.beginMissing') } : {}),
    ...(values.end === ''
      ? { end: t('freezePeriod.endMissing') }
      : values.begin !== '' && values.end <= values.begin
        ? { end: t('freezePeriod.endFirst') }
        : {}),
  });
  return (
    <FormDialog
      title={period ? t('freezePeriod.editOne', { name: period.name }) : t('freezePeriod.add')}
      form={form}
      confirm={t(period ? 'common.save' : 'freezePeriod.add')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <p>{t('freezePeriod.does')}</p>
      <TextField form={form} name="name" label={t('freezePeriod.name')} maxLength={64} data-autofocus />
      <MultiSelect
        name="siteIds"
        label={t('freezePeriod.sites')}
        description={t('freezePeriod.sitesHint')}
        placeholder={values.siteIds.length === 0 ? t('freezePeriod.wholeCompany') : undefined}
        data={[...names].map(([value, label]) => ({ value, label }))}
        value={values.siteIds}
        onChange={(siteIds) => set({ siteIds })}
        error={fault('siteIds')}
        searchable={names.size > 8}
        openOnFocus={false}
      />
      <TextField
        form={form}
        name="begin"
        type="datetime-local"
        label={t('freezePeriod.begin')}
        max="2999-12-31T23:59"
        also={(begin) => ({ begin: begin.slice(0, 16) })}
      />
      <TextField
        form={form}
        name="end"
        type="datetime-local"
        label={t('freezePeriod.end')}
        max="2999-12-31T23:59"
        also={(end) => ({ end: end.slice(0, 16) })}
      />
      <ZoneField form={form} name="timeZone" label={t('freezePeriod.timeZone')} />
    </FormDialog>
  );
}
