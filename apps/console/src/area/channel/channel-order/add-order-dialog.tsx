import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addChannelOrder } from './channel-order.calls.ts';
import css from '../../../kit/part/dialog.module.css';

/** Adds one MAC by hand; a spreadsheet adds several. */
export default function AddOrderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { values, set, fault, submit, refusal, busy } = useForm({ mac: '', model: '', order: '' });
  const check = () => ({
    ...(values.mac.trim() === '' ? { mac: t('channelOrder.macMissing') } : {}),
    ...(values.model.trim() === '' ? { model: t('channelOrder.modelMissing') } : {}),
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
    <Modal opened onClose={onClose} title={t('channelOrder.add')} withCloseButton={false}>
      <form onSubmit={submit(check, save)} noValidate style={{ display: 'grid', gap: 12 }}>
        {text('mac', { classNames: { input: 'mono' }, spellCheck: false, 'data-autofocus': true })}
        {text('model')}
        {text('order', { description: t('channelOrder.orderHint') })}
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('channelOrder.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
