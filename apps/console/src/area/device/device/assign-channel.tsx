import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Target } from '../../../kit/grid/selection.ts';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, isCallError } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceFilter } from '../record/device.calls.ts';
import { allocateDevices, orderChannelsQuery } from './order-channel.calls.ts';
import { UsedDevices } from './used-devices.tsx';
import css from '../../../kit/part/dialog.module.css';

export interface ChannelRequest {
  target: Target<DeviceFilter>;
  count: number;
  name?: string | undefined;
}

/** Gives one device or all selected ones to a direct channel (DEV-05). */
export default function AssignChannel({
  request,
  onClose,
  onDone,
}: {
  request: ChannelRequest;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const known = useQuery(orderChannelsQuery()).data;
  const channels = known ?? [];
  const none = known?.length === 0;
  const [inUse, setInUse] = useState(false);
  const [given, setGiven] = useState(0);
  const form = useForm({ channelId: '', reset: true });
  const { values, set } = form;
  const save = async () => {
    try {
      let all = given;
      for (let left = 1; left > 0;) {
        const step = await call(allocateDevices, {
          body: {
            target: request.target as never,
            channelId: values.channelId,
            confirmed: inUse,
            reset: values.reset,
            inSteps: true,
          },
        });
        left = step.left;
        setGiven((all += step.allocated));
      }
      const name = channels.find((c) => c.id === values.channelId)?.name ?? '';
      await client.invalidateQueries({ queryKey: ['device'] });
      await client.invalidateQueries({ queryKey: ['channelOrder'] });
      await done('allocated', { name, many: all });
      onDone();
    } catch (e) {
      if (isCallError(e) && e.error === 'channelOrder.inUse') setInUse(true);
      throw e;
    }
  };
  const title =
    request.name === undefined
      ? t('channelOrder.allocateMany', { count: request.count, number: count(request.count) })
      : t('channelOrder.allocateOne', { name: request.name });
  return (
    <FormDialog
      title={title}
      form={form}
      confirm={t('channelOrder.allocate')}
      disabled={none}
      onSubmit={form.submit(
        () => (values.channelId === '' ? { channelId: t('channelOrder.channelMissing') } : {}),
        save,
      )}
      onClose={onClose}
    >
      <p className={css.effect}>
        {none ? t('channelOrder.noChannels') : t('channelOrder.leaves', { count: request.count })}
      </p>
      <SelectField
        form={form}
        name="channelId"
        className={css.param!}
        label={t('channelOrder.channel')}
        data={channels.map((c) => ({ value: c.id, label: c.name }))}
        openOnFocus={false}
        data-autofocus
      />
      {inUse && <UsedDevices reset={values.reset} onChange={(reset) => set({ reset })} />}
      {given > 0 && (
        <p role="status">{t('channelOrder.allocateProgress', { done: count(given), total: count(request.count) })}</p>
      )}
    </FormDialog>
  );
}
