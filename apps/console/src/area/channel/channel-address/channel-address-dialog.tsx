import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addChannelAddress,
  addressNamesQuery,
  editChannelAddress,
  type ChannelAddress,
} from './channel-address.calls.ts';
import css from '../../../kit/part/dialog.module.css';

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
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: address?.name ?? '',
    parentId: address?.parentId ?? top,
    description: address?.description ?? '',
  });
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
    <Modal
      opened
      onClose={onClose}
      title={address ? t('channelAddress.editOne', { name: address.name }) : t('channelAddress.add')}
      withCloseButton={false}
    >
      <form
        onSubmit={submit(() => (values.name.trim() === '' ? { name: t('channelAddress.nameMissing') } : {}), save)}
        noValidate
        style={{ display: 'grid', gap: 12 }}
      >
        <TextInput
          name="name"
          label={t('channelAddress.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <Select
          name="parentId"
          label={t('channelAddress.parent')}
          data={[
            { value: top, label: t('channelAddress.top') },
            ...above.map((n) => ({ value: n.id, label: n.path.join(' / ') })),
          ]}
          value={values.parentId}
          onChange={(v) => set({ parentId: v ?? top })}
          error={fault('parentId')}
          allowDeselect={false}
          searchable={names.length > 8}
        />
        <TextInput
          name="description"
          label={t('channelAddress.description')}
          maxLength={256}
          value={values.description}
          onChange={(e) => set({ description: e.currentTarget.value })}
          autoComplete="off"
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(address ? 'common.save' : 'channelAddress.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
