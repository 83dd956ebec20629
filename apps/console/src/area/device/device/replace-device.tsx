import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DeviceRecord, replaceDevice as Replace, RouteOutput } from '@carillon/contracts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { closeTab } from '../../../kit/session/tabs.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { replaceDevice } from '../record/device-change.calls.ts';
import { macDigits } from '../record/mac.ts';
import { claimCodeFault, ClaimCodeFields, claimCodeOf, noClaimCode } from './claim-code-fields.tsx';
import { SecretCard } from './secret-card.tsx';
import css from '../../../kit/part/dialog.module.css';

/** Replaces a broken device by another one (DEV-13). Ends with the data to type into the new device, shown once. */
export default function ReplaceDevice({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ mac: '', sn: '', ...noClaimCode });
  const { values, set, fault } = form;
  const [made, setMade] = useState<RouteOutput<typeof Replace>>();
  const check = () => {
    const mac = macDigits(values.mac);
    const wrong = /[^0-9a-f]/.test(mac.digits)
      ? t('device.macCharacters')
      : t('device.macDigits', { digits: mac.digits.length });
    return {
      ...(mac.valid ? {} : { mac: wrong }),
      ...(values.sn.trim() === '' ? { sn: t('device.snMissing') } : {}),
      ...claimCodeFault(values, t),
    };
  };
  const save = async () => {
    const body = { mac: macDigits(values.mac).digits, sn: values.sn.trim(), ...claimCodeOf(values) };
    setMade(await call(replaceDevice, { params: { id: device.id }, body }));
  };
  // The page behind stays on the old device until then, so that the data shown once is not lost.
  const leave = (open: boolean) => {
    closeTab(`/device/deviceDetail?id=${device.id}`);
    onClose();
    void client.invalidateQueries({ queryKey: ['device'] });
    // The page that opened this is gone, so the next page gets the focus.
    void (
      open
        ? navigate({ to: '/device/deviceDetail', search: { id: made!.device.id } as never })
        : navigate({ to: '/device/list', search: {} as never })
    ).then(() => document.getElementById('main')?.focus());
  };
  if (made)
    return (
      // Another key, so that the new dialog takes the focus.
      <Modal
        key="made"
        opened
        onClose={() => leave(false)}
        title={t('deviceForm.replaced', { name: device.name })}
        withCloseButton={false}
        closeOnClickOutside={false}
        size={600}
      >
        <SecretCard device={made.device} secret={made.secret} connect={made.connect} />
        <div className={css.buttons}>
          <Button variant="default" onClick={() => leave(false)}>
            {t('common.done')}
          </Button>
          <Button onClick={() => leave(true)} data-autofocus>
            {t('deviceForm.openNew')}
          </Button>
        </div>
      </Modal>
    );
  const title = t('deviceForm.replaceOne', { name: device.name });
  const field = (name: 'mac' | 'sn', label: string) => (
    <TextInput
      name={name}
      label={label}
      value={values[name]}
      onChange={(e) => set({ [name]: e.currentTarget.value })}
      error={fault(name)}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'mono' }}
      data-autofocus={name === 'mac'}
    />
  );
  return (
    <FormDialog title={title} form={form} confirm={title} danger onSubmit={form.submit(check, save)} onClose={onClose}>
      <p className={css.effect}>{t('deviceForm.replaceText', { mac: macText(device.mac) })}</p>
      {field('mac', t('deviceForm.newMac'))}
      {field('sn', t('deviceForm.newSn'))}
      <ClaimCodeFields values={values} set={set} fault={fault} />
    </FormDialog>
  );
}
