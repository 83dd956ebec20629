import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { told } from '../../../kit/part/told.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addSupportAccess, type SupportAccess } from './support-access.calls.ts';
import css from '../../../kit/part/dialog.module.css';

const hours = [1, 4, 8];
const days = [1, 3, 7, 30];

/** Chooses how long the parent company may enter, and whether it may change anything. */
export default function SupportAccessDialog({ company, onClose }: { company: string; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { values, set, fault, submit, refusal, busy } = useForm({ level: 'view', hours: '4', reason: '' });
  const save = async () => {
    const { until } = await call(addSupportAccess, {
      body: {
        level: values.level as SupportAccess['level'],
        hours: Number(values.hours),
        reason: values.reason.trim(),
      },
    });
    await client.invalidateQueries({ queryKey: ['supportAccess'] });
    told(t('supportAccess.allowed', { company, time: moment(until) }));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('supportAccess.addTo', { company })} withCloseButton={false}>
      <form onSubmit={submit(() => ({}), save)} noValidate style={{ display: 'grid', gap: 12 }}>
        <Select
          name="level"
          label={t('supportAccess.level')}
          description={t('supportAccess.levelText')}
          data={[
            { value: 'view', label: t('supportAccess.level.view') },
            { value: 'manage', label: t('supportAccess.level.manage') },
          ]}
          value={values.level}
          onChange={(level) => set({ level: level ?? 'view' })}
          allowDeselect={false}
          data-autofocus
        />
        <Select
          name="hours"
          label={t('supportAccess.for')}
          data={[
            ...hours.map((n) => ({
              value: String(n),
              label: t('supportAccess.hours', { count: n, number: count(n) }),
            })),
            ...days.map((n) => ({
              value: String(24 * n),
              label: t('supportAccess.days', { count: n, number: count(n) }),
            })),
          ]}
          value={values.hours}
          onChange={(value) => set({ hours: value ?? '4' })}
          allowDeselect={false}
        />
        <TextInput
          name="reason"
          label={t('supportAccess.reason')}
          description={t('supportAccess.reasonText')}
          maxLength={256}
          value={values.reason}
          onChange={(e) => set({ reason: e.currentTarget.value })}
          error={fault('reason')}
          autoComplete="off"
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('supportAccess.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
