import { useState } from 'react';
import { TagsInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { AreaField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { filesFault, UploadField, wholeIds, type Chosen } from '../../../kit/upload/upload-field.tsx';
import { PlacedForm, type Placed } from '../../../kit/upload/placed-form.tsx';
import { modelNamesQuery } from '../model-names.calls.ts';
import { addConfigFile, editConfigFile, type ConfigFile } from './config-file.calls.ts';

/** Adds or edits a configuration file. */
export function ConfigFileForm({ config, onSaved, ...placed }: Placed & { config: ConfigFile | undefined }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [fileFault, setFileFault] = useState<string>();
  const names = useQuery({ ...modelNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];
  const form = useForm({
    name: config?.name ?? '',
    models: config?.models ?? [],
    description: config?.description ?? '',
  });
  const { values, set, fault } = form;
  const save = async () => {
    const fields = { name: values.name.trim(), models: values.models, description: values.description.trim() };
    const [upload] = wholeIds(files);
    await (config
      ? call(editConfigFile, { body: { id: config.id, ...fields, ...(upload === undefined ? {} : { upload }) } })
      : call(addConfigFile, { body: { ...fields, upload: upload! } }));
    await client.invalidateQueries({ queryKey: ['configFile'] });
    onSaved();
    await done(config ? 'saved' : 'added', { name: fields.name });
  };
  const check = () => {
    const wrong = filesFault(files, t, { needed: !config });
    setFileFault(wrong);
    return {
      ...(wrong === undefined ? {} : { upload: wrong }),
      ...(values.name.trim() === '' ? { name: t('configFile.nameMissing') } : {}),
    };
  };
  return (
    <PlacedForm
      {...placed}
      form={form}
      files={files}
      confirm={t(config ? 'common.save' : 'configFile.add')}
      onSubmit={form.submit(check, save)}
    >
      {/* A user who may edit but not add changes only the description. */}
      {access.can('addConfigFile') && (
        <UploadField
          noun="configFile"
          label={t('configFile.file')}
          files={files}
          onChange={(change) => {
            setFileFault(undefined);
            setFiles(change);
          }}
          fault={fileFault !== undefined && <FieldError text={fileFault} />}
        />
      )}
      {config && <p>{t('configFile.fileHint', { name: config.fileName, version: config.version })}</p>}
      <TextField form={form} name="name" label={t('configFile.name')} maxLength={64} />
      <TagsInput
        name="models"
        label={t('configFile.models')}
        description={t('configFile.modelsHint')}
        data={names}
        maxTags={100}
        value={values.models}
        onChange={(models) => set({ models })}
        error={fault('models')}
        acceptValueOnBlur
      />
      <AreaField form={form} name="description" label={t('configFile.description')} maxLength={256} />
    </PlacedForm>
  );
}
