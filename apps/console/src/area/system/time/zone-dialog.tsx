import { Button, Modal, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { ZoneRecord } from '@carillon/contracts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/session/call.ts';
import { startClock } from '../../../kit/text/clock.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/dialog.module.css';

const editZone = remote('editZone', 'PUT /api/f/license/time/zone');

export function ZoneDialog({ zone, onClose }: { zone: ZoneRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({
    region: zone.region,
    offset: zone.offset as number | string,
    sort: zone.sort as number | string,
  });
  const { values, set, fault } = form;
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
    <Modal opened onClose={onClose} title={t('time.editOne', { name: zone.region })} withCloseButton={false}>
      <form onSubmit={form.submit(() => ({}), save)} noValidate style={{ display: 'grid', gap: 12 }}>
        <TextInput
          name="region"
          label={t('time.region')}
          maxLength={128}
          value={values.region}
          onChange={(e) => set({ region: e.currentTarget.value })}
          error={fault('region')}
          autoComplete="off"
          data-autofocus
        />
        <NumberInput
          name="offset"
          label={t('time.offsetMinutes')}
          min={-720}
          max={840}
          value={values.offset}
          onChange={(offset) => set({ offset })}
          error={fault('offset')}
        />
        <NumberInput
          name="sort"
          label={t('time.order')}
          min={0}
          max={9999}
          value={values.sort}
          onChange={(sort) => set({ sort })}
          error={fault('sort')}
        />
        <RefusalBox refusal={form.refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
