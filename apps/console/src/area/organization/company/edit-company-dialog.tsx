import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { AreaField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { companyTypes, editCompany, type Company } from './company.calls.ts';

/** Edits name, type and remarks of a company; its administrator edits the rest. */
export default function EditCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({
    name: company.name,
    type: company.type,
    remarks: company.remarks,
  });
  const { values } = form;
  const save = async () => {
    await call(editCompany, { body: { id: company.id, ...values, name: values.name.trim() } });
    await client.invalidateQueries({ queryKey: ['company'] });
    await done('saved', { name: values.name.trim() });
    onClose();
  };
  return (
    <FormDialog
      title={t('company.edit')}
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(() => (values.name.trim() === '' ? { name: t('company.nameMissing') } : {}), save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('company.name')} maxLength={128} data-autofocus />
      <SelectField
        form={form}
        name="type"
        label={t('company.type')}
        data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
      />
      <AreaField form={form} name="remarks" label={t('company.remarks')} maxLength={512} />
    </FormDialog>
  );
}
