import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/session/call.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { editDevice } from '../record/device-change.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export default function RenameDevice({
  device,
  onClose,
}: {
  device: Pick<DeviceRecord, 'id' | 'name'>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [name, setName] = useState(device.name);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function save() {
    const wanted = name.trim();
    if (wanted === '') {
      setFault(t('device.nameMissing'));
      return;
    }
    if (wanted === device.name) {
      onClose();
      return;
    }
    setBusy(true);
    try {
      await call(editDevice, { body: { id: device.id, name: wanted } });
      await client.invalidateQueries({ queryKey: ['device'] });
      await done('saved', { name: wanted });
      onClose();
    } catch (e) {
      setFault(refusalOf(e).text);
      setBusy(false);
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('device.renameTitle', { name: device.name })} withCloseButton={false}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void save();
        }}
        noValidate
      >
        <TextInput
          className={css.param}
          name="name"
          label={t('device.name')}
          maxLength={64}
          value={name}
          onChange={(e) => {
            setName(e.currentTarget.value);
            setFault(undefined);
          }}
          error={fault !== undefined && <FieldError text={fault} />}
          autoComplete="off"
          data-autofocus
          onFocus={(e) => e.currentTarget.select()}
        />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
