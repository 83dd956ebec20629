import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addressNamesQuery } from '../channel-address/channel-address.calls.ts';
import { bindChannel, offerChannel, setChannelStatus, unbindChannel, type Channel } from './channel.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export type ChannelChange = 'disable' | 'lock' | 'enable';
const statusAfter = { disable: 'disabled', lock: 'locked', enable: 'normal' } as const;
const doneTo = { disable: 'disabled', lock: 'locked', enable: 'enabled' } as const;

/** Tells the effect of closing or reopening a channel before it is done. */
export function StatusDialog({
  channel,
  change,
  onClose,
}: {
  channel: Channel;
  change: ChannelChange;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={t(`channel.${change}One`, { name: channel.name })}
      text={t(change === 'enable' ? 'channel.enableText' : 'channel.closeText')}
      danger={change !== 'enable'}
      onConfirm={async () => {
        await call(setChannelStatus, { body: { id: channel.id, status: statusAfter[change] } });
        await client.invalidateQueries({ queryKey: ['channel'] });
        await done(doneTo[change], { name: channel.name });
      }}
      onClose={onClose}
    />
  );
}

export function UnbindDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={t('channel.unbindOne', { name: channel.name })}
      text={t('channel.unbindText')}
      danger
      onConfirm={async () => {
        await call(unbindChannel, { body: { id: channel.id } });
        await client.invalidateQueries({ queryKey: ['channel'] });
        await done('unbound', { name: channel.name });
      }}
      onClose={onClose}
    />
  );
}

/** Binds an existing company as a sub-channel by the code that it made. */
export function BindDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const names = useQuery(addressNamesQuery()).data ?? [];
  const form = useForm({ code: '', addressId: '' });
  const { values } = form;
  const check = () => ({
    ...(values.code.trim() === '' ? { code: t('channel.codeMissing') } : {}),
    ...(names.length > 0 && values.addressId === '' ? { addressId: t('channel.addressMissing') } : {}),
  });
  const save = async () => {
    const { name } = await call(bindChannel, {
      body: { code: values.code.trim(), addressId: values.addressId === '' ? null : values.addressId },
    });
    await client.invalidateQueries({ queryKey: ['channel'] });
    await done('bound', { name });
    onClose();
  };
  return (
    <FormDialog
      title={t('channel.bind')}
      form={form}
      confirm={t('channel.bind')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <p className={css.effect}>{t('channel.bindText')}</p>
      <TextField
        form={form}
        name="code"
        label={t('channel.code')}
        maxLength={64}
        autoCapitalize="characters"
        data-autofocus
        code
      />
      {names.length > 0 && (
        <SelectField
          form={form}
          name="addressId"
          label={t('channel.address')}
          data={names.map((n) => ({ value: n.id, label: n.path.join(' / ') }))}
        />
      )}
    </FormDialog>
  );
}

/** Makes a code for another company to bind the own one, which is shown only once. */
export function OfferDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const [made, setMade] = useState<{ code: string; expiresAt: string }>();
  const form = useForm({});
  const { refusal, busy } = form;
  const make = async () => setMade(await call(offerChannel, { body: {} }));
  return (
    <Modal opened onClose={onClose} title={t('channel.offer')} withCloseButton={false}>
      {made ? (
        <>
          <p className={css.effect}>{t('channel.offered', { time: moment(made.expiresAt) })}</p>
          <p style={{ display: 'flex', alignItems: 'center', gap: 8, fontSize: 18 }}>
            <code>{made.code}</code>
            <CopyButton value={made.code} label={t('channel.code')} />
          </p>
          <div className={css.buttons}>
            <Button autoFocus onClick={onClose}>
              {t('common.done')}
            </Button>
          </div>
        </>
      ) : (
        <form onSubmit={form.submit(() => ({}), make)} noValidate>
          <p className={css.effect}>{t('channel.offerText')}</p>
          <RefusalBox refusal={refusal} />
          <div className={css.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={busy} data-autofocus>
              {t('channel.offerDo')}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
