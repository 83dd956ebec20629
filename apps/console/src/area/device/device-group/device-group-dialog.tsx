import { useState } from 'react';
import { SegmentedControl, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { DeviceRule } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { AreaField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { organization as narrowedTo, session } from '../../../kit/session/session.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addDeviceGroup, editDeviceGroup, type DeviceGroup } from './device-group.calls.ts';
import { given, GroupRule } from './group-rule.tsx';
import own from './group-rule.module.css';

/** Adds or edits a group. Its organization is fixed once it is added. */
export default function DeviceGroupDialog({ group, onClose }: { group: DeviceGroup | undefined; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: organizations = [] } = useOrganizations();
  const form = useForm({
    name: group?.name ?? '',
    description: group?.description ?? '',
    orgId: '',
    byRule: group !== undefined && group.rule !== null,
    rule: given(group?.rule ?? {}),
  });
  const { values, set, fault } = form;
  const [open, setOpen] = useState(false);
  const save = async () => {
    const rule = values.byRule ? (values.rule as DeviceRule) : null;
    const body = { name: values.name.trim(), description: values.description.trim(), rule };
    await (group
      ? call(editDeviceGroup, { body: { id: group.id, ...body } })
      : call(addDeviceGroup, { body: { ...body, ...(values.orgId === '' ? {} : { orgId: values.orgId }) } }));
    await client.invalidateQueries({ queryKey: ['deviceGroup'] });
    onClose();
    await done(group ? 'saved' : 'added', { name: body.name });
  };
  return (
    <FormDialog
      title={group ? t('deviceGroup.editOne', { name: group.name }) : t('deviceGroup.add')}
      closeOnEscape={!open}
      form={form}
      confirm={t(group ? 'common.save' : 'deviceGroup.add')}
      onSubmit={form.submit(
        () => ({
          ...(values.name.trim() === '' ? { name: t('deviceGroup.nameMissing') } : {}),
          ...(values.byRule && Object.keys(values.rule).length === 0 ? { rule: t('deviceGroup.ruleMissing') } : {}),
        }),
        save,
      )}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('deviceGroup.name')} maxLength={64} data-autofocus />
      <AreaField form={form} name="description" label={t('deviceGroup.description')} maxLength={256} />
      {group === undefined && organizations.length > 1 && (
        <Select
          name="orgId"
          label={t('deviceGroup.organization')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
          value={values.orgId || (narrowedTo() === '1' ? (session()?.orgId ?? null) : narrowedTo())}
          onChange={(v) => set({ orgId: v ?? '' })}
          allowDeselect={false}
        />
      )}
      <div className={own.members}>
        <span id="members">{t('deviceGroup.members')}</span>
        <SegmentedControl
          aria-labelledby="members"
          data={[
            { value: 'hand', label: t('deviceGroup.byHand') },
            { value: 'rule', label: t('deviceGroup.byRule') },
          ]}
          value={values.byRule ? 'rule' : 'hand'}
          onChange={(v) => set({ byRule: v === 'rule' })}
        />
        {values.byRule ? (
          <GroupRule rule={values.rule} onRule={(rule) => set({ rule })} fault={fault('rule')} onOpen={setOpen} />
        ) : (
          <p>{t(group?.rule ? 'deviceGroup.byHandKeeps' : 'deviceGroup.byHandText')}</p>
        )}
      </div>
    </FormDialog>
  );
}
