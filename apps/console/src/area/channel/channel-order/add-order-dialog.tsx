import type { ReactNode } from 'react';
import { Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { modelNamesQuery } from '../../device/model/model.calls.ts';
import { modelOptions } from '../../device/model/model-options.ts';
import { addChannelOrder } from './channel-order.calls.ts';

/** Adds one MAC by hand; a spreadsheet adds several. */
export default function AddOrderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ mac: '', model: '', order: '' });
  const { values, set, fault } = form;
  const check = () => ({
    ...(values.mac.trim() === '' ? { mac: t('channelOrder.macMissing') } : {}),
    ...(values.model.trim() === '' ? { model: t('device.modelMissing') } : {}),
  });
  const save = async () => {
    const { mac } = await call(addChannelOrder, {
      body: { mac: values.mac.trim(), model: values.model.trim(), order: values.order.trim() },
    });
    await client.invalidateQueries({ queryKey: ['channelOrder'] });
    await done('added', { name: macText(mac) });
    onClose();
  };
  const text = (field: 'mac' | 'model' | 'order', more: object = {}) => (
    <TextInput
      name={field}
      label={t(`channelOrder.${field}`)}
      maxLength={64}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      {...more}
    />
  );
  return (
    <FormDialog
      title={t('channelOrder.add')}
      form={form}
      confirm={t('channelOrder.add')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      {text('mac', { classNames: { input: 'mono' }, spellCheck: false, 'data-autofocus': true })}
      <ModelField
        value={values.model}
        onChange={(model) => set({ model })}
        error={fault('model')}
        typed={text('model')}
      />
      {text('order', { description: t('channelOrder.orderHint') })}
    </FormDialog>
  );
}

/** Chooses a model of the list. Only users who see devices get the list; the others type the name. */
function ModelField({
  value,
  onChange,
  error,
  typed,
}: {
  value: string;
  onChange: (model: string) => void;
  error: ReactNode;
  typed: ReactNode;
}) {
  const { t } = useText();
  const isListed = useGranted('/device/list');
  const models = useQuery({ ...modelNamesQuery(), enabled: isListed }).data ?? [];
  if (!isListed) return typed;
  return (
    <Select
      name="model"
      label={t('channelOrder.model')}
      placeholder={t('deviceForm.modelSearch')}
      data={modelOptions(models, t)}
      value={value === '' ? null : value}
      onChange={(v) => onChange(v ?? '')}
      error={error}
      searchable
      nothingFoundMessage={t('deviceForm.noModel')}
      openOnFocus={false}
    />
  );
}
