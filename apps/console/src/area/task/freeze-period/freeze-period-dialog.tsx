import { Button, Modal, MultiSelect, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useGranted } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { zoneMinute } from '../task/schedule.ts';
import { addFreezePeriod, editFreezePeriod, siteNamesQuery, type FreezePeriod } from './freeze-period.calls.ts';
import css from '../../../kit/part/dialog.module.css';

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
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: period?.name ?? '',
    siteIds: period?.siteIds ?? [],
    begin: period?.begin ?? nextHour(),
    end: period?.end ?? '',
    timeZone: period?.timeZone ?? ownZone(),
  });
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
    <Modal
      opened
      onClose={onClose}
      title={period ? t('freezePeriod.editOne', { name: period.name }) : t('freezePeriod.add')}
      withCloseButton={false}
    >
      <form onSubmit={submit(check, save)} noValidate style={{ display: 'grid', gap: 12 }}>
        <p>{t('freezePeriod.does')}</p>
        <TextInput
          name="name"
          label={t('freezePeriod.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
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
        <TextInput
          name="begin"
          type="datetime-local"
          label={t('freezePeriod.begin')}
          max="2999-12-31T23:59"
          value={values.begin}
          onChange={(e) => set({ begin: e.currentTarget.value.slice(0, 16) })}
          error={fault('begin')}
        />
        <TextInput
          name="end"
          type="datetime-local"
          label={t('freezePeriod.end')}
          max="2999-12-31T23:59"
          value={values.end}
          onChange={(e) => set({ end: e.currentTarget.value.slice(0, 16) })}
          error={fault('end')}
        />
        <Select
          name="timeZone"
          label={t('freezePeriod.timeZone')}
          data={[...new Set([values.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
          value={values.timeZone}
          onChange={(zone) => set({ timeZone: zone ?? values.timeZone })}
          error={fault('timeZone')}
          allowDeselect={false}
          searchable
          openOnFocus={false}
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(period ? 'common.save' : 'freezePeriod.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
