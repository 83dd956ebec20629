import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { filesFault, UploadField, wholeIds, type Chosen } from '../../../kit/upload/upload-field.tsx';
import { inDialog } from '../../../kit/upload/upload-form.ts';
import { addFirmwareDelta, addOfficialFirmwareDelta, type Firmware } from './firmware.calls.ts';

/** Adds a differential package to a firmware. */
export default function FirmwareDeltaDialog({ firmware, onClose }: { firmware: Firmware; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [fileFault, setFileFault] = useState<string>();
  const form = useForm({ from: '' });
  const { values, refusal, busy } = form;
  const save = async () => {
    const from = values.from.trim();
    await call(firmware.path === 'mine' ? addFirmwareDelta : addOfficialFirmwareDelta, {
      body: { firmwareId: firmware.id, from, upload: wholeIds(files)[0]! },
    });
    await client.invalidateQueries({ queryKey: ['firmware'] });
    onClose();
    await done('added', { name: t('firmware.deltaName', { from, version: firmware.version }) });
  };
  const check = () => {
    const wrong = filesFault(files, t);
    setFileFault(wrong);
    return {
      ...(wrong === undefined ? {} : { upload: wrong }),
      ...(values.from.trim() === '' ? { from: t('firmware.versionMissing') } : {}),
    };
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('firmware.deltaAddTo', { name: `${firmware.name} ${firmware.version}` })}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form className={inDialog.form} onSubmit={form.submit(check, save)} noValidate>
        <div className={inDialog.body}>
          <TextField
            form={form}
            name="from"
            label={t('firmware.from')}
            description={t('firmware.deltaFromHint')}
            maxLength={32}
            data-autofocus
            code
          />
          <UploadField
            noun="firmwareDelta"
            label={t('firmware.file')}
            files={files}
            onChange={(change) => {
              setFileFault(undefined);
              setFiles(change);
            }}
            fault={fileFault !== undefined && <FieldError text={fileFault} />}
          />
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={inDialog.foot}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('firmware.deltaAdd')}
          </Button>
        </footer>
      </form>
    </Modal>
  );
}
