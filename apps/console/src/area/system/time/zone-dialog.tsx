import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { ZoneRecord } from '@carillon/contracts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { NumberField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { startClock } from '../../../kit/text/clock.ts';
import { useText } from '../../../kit/text/use-text.ts';

const editZone = remote('editZone', 'PUT /api/f/license/time/zone');

export function ZoneDialog({ zone, onClose }: { zone: ZoneRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({
    region: zone.region,
    offset: zone.offset as number | string,
    sort: zone.sort as number | string,
  });
  const { values } = form;
  async function save() {
    await call(editZone, {
      body: { id: zone.id, region: values.region.trim(), offset: Number(values.offset), sort: Number(values.sort) },
    });
    await Promise.all([
      client.invalidateQueries({ queryKey: ['timeZone'] }),
      client.invalidateQueries({ queryKey: ['time'] }),
      startClock(),
    ]);
    await done('saved', { name: values.region.trim() });
    onClose();
  }
  return (
    <FormDialog
      title={t('time.editOne', { name: zone.region })}
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(() => ({}), save)}
      onClose={onClose}
    >
      <TextField form={form} name="region" label={t('time.region')} maxLength={128} data-autofocus />
      <NumberField form={form} name="offset" label={t('time.offsetMinutes')} min={-720} max={840} />
      <NumberField form={form} name="sort" label={t('time.order')} min={0} max={9999} />
    </FormDialog>
  );
}
