import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addChannelAddress,
  addressNamesQuery,
  editChannelAddress,
  type ChannelAddress,
} from './channel-address.calls.ts';

const top = '-';

export default function ChannelAddressDialog({
  address,
  onClose,
}: {
  address: ChannelAddress | undefined;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({
    name: address?.name ?? '',
    parentId: address?.parentId ?? top,
    description: address?.description ?? '',
  });
  const { values } = form;
  const names = useQuery(addressNamesQuery()).data ?? [];
  const own = address?.path.join('\n');
  // The parent must be neither the address itself nor one below it.
  const above = names.filter((n) => own === undefined || !`${n.path.join('\n')}\n`.startsWith(`${own}\n`));
  const save = async () => {
    const body = {
      name: values.name.trim(),
      parentId: values.parentId === top ? null : values.parentId,
      description: values.description.trim(),
    };
    await (address
      ? call(editChannelAddress, { body: { id: address.id, ...body } })
      : call(addChannelAddress, { body }));
    await client.invalidateQueries({ queryKey: ['channelAddress'] });
    await client.invalidateQueries({ queryKey: ['channel'] });
    await done(address ? 'saved' : 'added', { name: body.name });
    onClose();
  };
  return (
    <FormDialog
      title={address ? t('channelAddress.editOne', { name: address.name }) : t('channelAddress.add')}
      form={form}
      confirm={t(address ? 'common.save' : 'channelAddress.add')}
      onSubmit={form.submit(() => (values.name.trim() === '' ? { name: t('channelAddress.nameMissing') } : {}), save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('channelAddress.name')} maxLength={64} data-autofocus />
      <SelectField
        form={form}
        name="parentId"
        label={t('channelAddress.parent')}
        data={[
          { value: top, label: t('channelAddress.top') },
          ...above.map((n) => ({ value: n.id, label: n.path.join(' / ') })),
        ]}
      />
      <TextField form={form} name="description" label={t('channelAddress.description')} maxLength={256} />
    </FormDialog>
  );
}
