import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { resourceFilesMaximum, resourceTypes } from '@carillon/contracts/constants';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { AreaField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { filesFault, UploadField, wholeIds, type Chosen } from '../../../kit/upload/upload-field.tsx';
import { PlacedForm, type Placed } from '../../../kit/upload/placed-form.tsx';
import { addResourceFile, editResourceFile, type ResourceFile } from './resource-file.calls.ts';

/** Adds or edits a resource file. */
export function ResourceFileForm({ resource, onSaved, ...placed }: Placed & { resource: ResourceFile | undefined }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [filesWrong, setFilesWrong] = useState<string>();
  const form = useForm({
    name: resource?.name ?? '',
    type: resource?.type ?? ('languagePack' as ResourceFile['type']),
    description: resource?.description ?? '',
  });
  const { values } = form;
  const save = async () => {
    const body = { name: values.name.trim(), type: values.type, description: values.description.trim() };
    const uploads = wholeIds(files);
    await (resource
      ? call(editResourceFile, { body: { id: resource.id, ...body, ...(uploads.length > 0 ? { uploads } : {}) } })
      : call(addResourceFile, { body: { ...body, uploads } }));
    await client.invalidateQueries({ queryKey: ['resourceFile'] });
    onSaved();
    await done(resource ? 'saved' : 'added', { name: body.name });
  };
  const check = () => {
    const wrong = filesFault(files, t, { needed: !resource });
    setFilesWrong(wrong);
    return {
      ...(values.name.trim() === '' ? { name: t('resourceFile.nameMissing') } : {}),
      ...(wrong === undefined ? {} : { uploads: wrong }),
    };
  };
  return (
    <PlacedForm
      {...placed}
      form={form}
      files={files}
      confirm={t(resource ? 'common.save' : 'resourceFile.add')}
      onSubmit={form.submit(check, save)}
    >
      <TextField
        form={form}
        name="name"
        label={t('resourceFile.name')}
        maxLength={64}
        // A dialog takes the focus by itself, and returns it to what had it before.
        autoFocus={resource === undefined}
        data-autofocus
      />
      <SelectField
        form={form}
        name="type"
        label={t('resourceFile.type')}
        data={resourceTypes.map((value) => ({ value, label: t(`resourceFile.type.${value}`) }))}
      />
      {/* A user who may edit but not add changes only the description. */}
      {access.can('addResourceFile') && (
        <UploadField
          noun="resourceFile"
          label={t('resourceFile.files')}
          most={resourceFilesMaximum}
          files={files}
          onChange={(change) => {
            setFilesWrong(undefined);
            setFiles(change);
          }}
          fault={filesWrong !== undefined && <FieldError text={filesWrong} />}
        />
      )}
      {resource && <p>{t('resourceFile.filesHint', { names: resource.fileNames })}</p>}
      <AreaField form={form} name="description" label={t('resourceFile.description')} maxLength={256} />
    </PlacedForm>
  );
}
