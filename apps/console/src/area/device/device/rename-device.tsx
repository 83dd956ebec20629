import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { editDevice } from '../record/device-change.calls.ts';

export default function RenameDevice({
  device,
  onClose,
}: {
  device: Pick<DeviceRecord, 'id' | 'name'>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ name: device.name });
  const name = form.values.name.trim();
  const save = async () => {
    if (name !== device.name) {
      await call(editDevice, { body: { id: device.id, name } });
      await client.invalidateQueries({ queryKey: ['device'] });
      await done('saved', { name });
    }
    onClose();
  };
  return (
    <FormDialog
      title={t('device.renameTitle', { name: device.name })}
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(() => (name === '' ? { name: t('device.nameMissing') } : {}), save)}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t('device.name')}
        maxLength={64}
        data-autofocus
        onFocus={(e) => e.currentTarget.select()}
      />
    </FormDialog>
  );
}
