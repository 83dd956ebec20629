import { useState } from 'react';
import { Checkbox, TagsInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { AreaField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup } from '../../../kit/part/form-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { filesFault, UploadField, wholeIds, type Chosen } from '../../../kit/upload/upload-field.tsx';
import { PlacedForm, type Placed } from '../../../kit/upload/placed-form.tsx';
import { modelNamesQuery } from '../model-names.calls.ts';
import {
  addFirmware,
  addOfficialFirmware,
  editFirmware,
  editOfficialFirmware,
  type Firmware,
} from './firmware.calls.ts';

type Whom = Firmware['notice']['whom'];
/** Days until users are notified; `set` keeps the stored time. */
const whens = ['0', '1', '3', '7'] as const;
type When = (typeof whens)[number] | 'set';

const isChecksum = (text: string): boolean => /^([0-9a-f]{64})?$/i.test(text.trim());
/** Returns a typed checksum as the console computes it. */
const typedSum = (text: string): string => text.trim().toLowerCase();

const valuesOf = (firmware: Firmware | undefined) => ({
  name: firmware?.name ?? '',
  version: firmware?.version ?? '',
  least: firmware?.least ?? '',
  sha256: '',
  models: firmware?.models ?? [],
  description: firmware?.description ?? '',
  official: firmware?.path === 'official',
  whom: (firmware?.notice.whom ?? 'nobody') as Whom,
  when: (firmware?.notice.at ? 'set' : '0') as When,
});
type Values = ReturnType<typeof valuesOf>;

/** Returns when users are notified, or null for at once or never. */
const noticeAt = ({ whom, when }: Values, firmware: Firmware | undefined): string | null => {
  if (whom === 'nobody' || when === '0') return null;
  if (when === 'set') return firmware!.notice.at;
  return new Date(Date.now() + Number(when) * 86_400_000).toISOString();
};

/** Adds or edits firmware. */
export function FirmwareForm({ firmware, onSaved, ...placed }: Placed & { firmware: Firmware | undefined }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [fileFault, setFileFault] = useState<string>();
  const form = useForm(valuesOf(firmware));
  const { values, set } = form;
  const save = async () => {
    const fields = {
      name: values.name.trim(),
      version: values.version.trim(),
      least: values.least.trim() || null,
      models: values.models,
      description: values.description.trim(),
      notice: { whom: values.whom, at: noticeAt(values, firmware) } as never,
    };
    if (firmware)
      await call(values.official ? editOfficialFirmware : editFirmware, { body: { id: firmware.id, ...fields } });
    else
      await call(values.official ? addOfficialFirmware : addFirmware, {
        body: {
          ...fields,
          upload: wholeIds(files)[0]!,
          // The server compares what it has received with what was read here.
          sha256: typedSum(values.sha256) || files[0]!.sha256,
        },
      });
    await client.invalidateQueries({ queryKey: ['firmware'] });
    onSaved();
    await done(firmware ? 'saved' : 'added', { name: `${fields.name} ${fields.version}` });
  };
  const check = () => {
    const wrong = firmware ? undefined : filesFault(files, t);
    setFileFault(wrong);
    const sum = typedSum(values.sha256);
    const isOther = sum !== '' && files.some(({ sha256 }) => sha256 !== undefined && sha256 !== sum);
    return {
      ...(wrong === undefined ? {} : { upload: wrong }),
      ...(isChecksum(values.sha256)
        ? isOther
          ? { sha256: t('upload.checksumWrong') }
          : {}
        : { sha256: t('firmware.sha256Format') }),
      ...(values.name.trim() === '' ? { name: t('firmware.nameMissing') } : {}),
      ...(values.version.trim() === '' ? { version: t('firmware.versionMissing') } : {}),
      ...(values.models.length === 0 ? { models: t('firmware.modelsMissing') } : {}),
    };
  };
  return (
    <PlacedForm
      {...placed}
      form={form}
      files={files}
      confirm={t(firmware ? 'common.save' : 'firmware.add')}
      onSubmit={form.submit(check, save)}
    >
      {firmware ? (
        <p className="mono">{firmware.fileName}</p>
      ) : (
        <UploadField
          noun="firmware"
          label={t('firmware.file')}
          files={files}
          checksum={isChecksum(values.sha256) ? typedSum(values.sha256) : ''}
          onChange={(change) => {
            setFileFault(undefined);
            setFiles(change);
          }}
          fault={fileFault !== undefined && <FieldError text={fileFault} />}
        />
      )}
      {!firmware && (
        <TextField
          form={form}
          name="sha256"
          label={t('firmware.sha256')}
          description={t('firmware.sha256Hint')}
          maxLength={80}
          code
        />
      )}
      <FactFields form={form} />
      {!firmware && access.can('officialFirmware') && (
        <Checkbox
          name="official"
          label={t('firmware.official')}
          description={t('firmware.officialHint')}
          checked={values.official}
          onChange={(e) =>
            set({ official: e.currentTarget.checked, whom: e.currentTarget.checked ? 'everybody' : 'nobody' })
          }
        />
      )}
      <NoticeFields form={form} firmware={firmware} />
    </PlacedForm>
  );
}

/** Name, versions, models and notes. */
function FactFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  const { values, set, fault } = form;
  const names = useQuery({ ...modelNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];
  return (
    <>
      <TextField form={form} name="name" label={t('firmware.name')} maxLength={64} />
      <TextField
        form={form}
        name="version"
        label={t('firmware.version')}
        description={t('firmware.versionHint')}
        maxLength={32}
        code
      />
      <TextField
        form={form}
        name="least"
        label={t('firmware.least')}
        description={t('firmware.leastHint')}
        maxLength={32}
        code
      />
      <TagsInput
        name="models"
        label={t('firmware.models')}
        description={t('firmware.modelsHint')}
        data={names}
        maxTags={100}
        value={values.models}
        onChange={(models) => set({ models })}
        error={fault('models')}
        acceptValueOnBlur
      />
      <AreaField form={form} name="description" label={t('firmware.description')} maxLength={2_000} minRows={3} />
    </>
  );
}

/** Whom to tell about the firmware, and when. */
function NoticeFields({ form, firmware }: { form: Form<Values>; firmware: Firmware | undefined }) {
  const { t } = useText();
  const { values } = form;
  const sentAt = firmware?.notice.sentAt ?? null;
  const audiences: readonly Whom[] = values.official ? ['everybody', 'company'] : ['nobody', 'company'];
  return (
    <FormGroup title={t('firmware.notice')}>
      <SelectField
        form={form}
        name="whom"
        label={t('firmware.whom')}
        data={audiences.map((value) => ({ value, label: t(`firmware.whom.${value}`) }))}
        disabled={sentAt !== null}
        {...(sentAt === null ? {} : { description: t('firmware.told') })}
      />
      {values.whom !== 'nobody' && sentAt === null && (
        <SelectField
          form={form}
          name="when"
          label={t('firmware.when')}
          data={[...(firmware?.notice.at ? (['set'] as const) : []), ...whens].map((value) => ({
            value,
            label: t(`firmware.when.${value}`),
          }))}
        />
      )}
    </FormGroup>
  );
}
