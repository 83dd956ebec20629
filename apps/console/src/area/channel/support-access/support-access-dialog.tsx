import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../kit/part/toast.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addSupportAccess, type SupportAccess } from './support-access.calls.ts';

const hours = [1, 4, 8];
const days = [1, 3, 7, 30];

/** Chooses how long the parent company may enter, and whether it may change anything. */
export default function SupportAccessDialog({ company, onClose }: { company: string; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ level: 'view', hours: '4', reason: '' });
  const { values } = form;
  const save = async () => {
    const { until } = await call(addSupportAccess, {
      body: {
        level: values.level as SupportAccess['level'],
        hours: Number(values.hours),
        reason: values.reason.trim(),
      },
    });
    await client.invalidateQueries({ queryKey: ['supportAccess'] });
    showToast(t('supportAccess.allowed', { company, time: moment(until) }));
    onClose();
  };
  return (
    <FormDialog
      title={t('supportAccess.addTo', { company })}
      form={form}
      confirm={t('supportAccess.add')}
      onSubmit={form.submit(() => ({}), save)}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="level"
        label={t('supportAccess.level')}
        description={t('supportAccess.levelText')}
        data={[
          { value: 'view', label: t('supportAccess.level.view') },
          { value: 'manage', label: t('supportAccess.level.manage') },
        ]}
        data-autofocus
      />
      <SelectField
        form={form}
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
      />
      <TextField
        form={form}
        name="reason"
        label={t('supportAccess.reason')}
        description={t('supportAccess.reasonText')}
        maxLength={256}
      />
    </FormDialog>
  );
}
