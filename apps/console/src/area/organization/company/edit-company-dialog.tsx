import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { companyTypes, editCompany, type Company } from './company.calls.ts';
import css from '../../../kit/part/dialog.module.css';

/** Edits name, type and remarks of a company; its administrator edits the rest. */
export default function EditCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: company.name,
    type: company.type,
    remarks: company.remarks,
  });
  const save = async () => {
    await call(editCompany, { body: { id: company.id, ...values, name: values.name.trim() } });
    await client.invalidateQueries({ queryKey: ['company'] });
    await done('saved', { name: values.name.trim() });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('company.edit')} withCloseButton={false}>
      <form
        onSubmit={submit(() => (values.name.trim() === '' ? { name: t('company.nameMissing') } : {}), save)}
        noValidate
        style={{ display: 'grid', gap: 12 }}
      >
        <TextInput
          name="name"
          label={t('company.name')}
          maxLength={128}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <Select
          label={t('company.type')}
          data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
          value={values.type}
          onChange={(v) => set({ type: v as Company['type'] })}
          allowDeselect={false}
        />
        <Textarea
          label={t('company.remarks')}
          maxLength={512}
          value={values.remarks}
          onChange={(e) => set({ remarks: e.currentTarget.value })}
          autosize
          minRows={2}
        />
        <RefusalBox refusal={refusal} />
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
