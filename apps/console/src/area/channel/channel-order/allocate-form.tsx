import { useState, type ReactNode } from 'react';
import { Anchor, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, isCallError } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { orderChannelsQuery } from '../../device/device/order-channel.calls.ts';
import { UsedDevices } from '../../device/device/used-devices.tsx';
import { allocateChannelOrders, type OrderTarget } from './channel-order.calls.ts';
import { useLines } from './choose-lines.tsx';

/** Assigns lines to a channel: the selected ones in a dialog, or lines that are chosen on its page. */
export function AllocateForm({
  given,
  channel = '',
  frame,
  onDone,
}: {
  given: { target: OrderTarget; count: number } | undefined;
  channel?: string;
  /** Renders the fields and the button that submits them. */
  frame: (parts: { fields: ReactNode; send: ReactNode }) => ReactNode;
  onDone: (channelId: string) => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const known = useQuery(orderChannelsQuery());
  const channels = known.data ?? [];
  const [inUse, setInUse] = useState(false);
  const lines = useLines(given);
  const form = useForm({ channelId: channel, reset: true, lines: '' });
  const { values, set, refusal, busy } = form;
  const save = async () => {
    try {
      const { allocated } = await call(allocateChannelOrders, {
        body: { target: lines.target(), channelId: values.channelId, confirmed: inUse, reset: values.reset },
      });
      const name = channels.find((c) => c.id === values.channelId)?.name ?? '';
      await client.invalidateQueries({ queryKey: ['channelOrder'] });
      await client.invalidateQueries({ queryKey: ['device'] });
      await done('allocated', { name, many: allocated });
      onDone(values.channelId);
    } catch (e) {
      if (isCallError(e) && e.error === 'channelOrder.inUse') setInUse(true);
      throw e;
    }
  };
  const check = () => {
    const ready = lines.check();
    return {
      ...(values.channelId === '' ? { channelId: t('channelOrder.channelMissing') } : {}),
      ...(ready ? {} : { lines: '' }),
    };
  };
  const none = known.data?.length === 0;
  const fields = (
    <>
      <p>{t('channelOrder.allocateText')}</p>
      {none ? (
        <p>
          {t('channelOrder.noChannels')}{' '}
          {access.can('addChannel') && (
            <Anchor component={Link} to="/channel/addSubAccount">
              {t('channelOrder.addChannel')}
            </Anchor>
          )}
        </p>
      ) : (
        <SelectField
          form={form}
          name="channelId"
          label={t('channelOrder.channel')}
          data={channels.map((c) => ({ value: c.id, label: c.name }))}
          openOnFocus={false}
          data-autofocus
        />
      )}
      {lines.fields}
      {inUse && (
        <div>
          <UsedDevices reset={values.reset} onChange={(reset) => set({ reset })} />
          <p>{t('channelOrder.ends')}</p>
        </div>
      )}
      <RefusalBox refusal={refusal} />
    </>
  );
  const send = (
    <Button type="submit" loading={busy} disabled={none}>
      {lines.amount > 0
        ? t('channelOrder.allocateMany', { count: lines.amount, number: count(lines.amount) })
        : t('channelOrder.allocate')}
    </Button>
  );
  return (
    <form onSubmit={form.submit(check, save)} noValidate style={{ display: 'contents' }}>
      {frame({ fields, send })}
    </form>
  );
}
