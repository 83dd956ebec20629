import { useState, type ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { AreaField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addOrganization,
  deleteOrganization,
  editOrganization,
  organizationKnown,
  restoreOrganizations,
  transferOrganization,
  type Organization,
} from './organization.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export function OrganizationDialog({
  organization,
  onDone,
  onClose,
}: {
  organization: Organization | undefined;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const form = useForm({
    name: organization?.name ?? '',
    description: organization?.description ?? '',
  });
  const { values } = form;
  const save = async () => {
    const body = { name: values.name.trim(), description: values.description.trim() };
    if (organization) await call(editOrganization, { body: { id: organization.id, ...body } });
    // Waits until the services for users and access know it, before it is shown to the user.
    else {
      const { id } = await call(addOrganization, { body });
      await organizationKnown(id);
    }
    await onDone();
    await done(organization ? 'saved' : 'added', { name: body.name });
    onClose();
  };
  return (
    <FormDialog
      title={organization ? t('organization.editOne', { name: organization.name }) : t('organization.add')}
      form={form}
      confirm={t(organization ? 'common.save' : 'organization.add')}
      onSubmit={form.submit(() => (values.name.trim() === '' ? { name: t('organization.nameMissing') } : {}), save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('organization.name')} maxLength={64} data-autofocus />
      <AreaField form={form} name="description" label={t('organization.description')} maxLength={256} />
    </FormDialog>
  );
}

export function TransferDialog({
  organization,
  onDone,
  onClose,
}: {
  organization: Organization;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const { data: organizations } = useOrganizations();
  const form = useForm({ to: '' });
  const { values } = form;
  return (
    <FormDialog
      title={t('organization.transferOne', { name: organization.name })}
      form={form}
      confirm={t('organization.transfer')}
      onSubmit={form.submit(
        () => (values.to === '' ? { to: t('organization.targetMissing') } : {}),
        async () => {
          await call(transferOrganization, { body: { id: organization.id, to: values.to } });
          await onDone();
          await done('transferred', { name: organization.name });
          onClose();
        },
      )}
      onClose={onClose}
    >
      <p className={css.effect}>
        {t('organization.transferText', { users: count(organization.users), devices: count(organization.devices) })}
      </p>
      <SelectField
        form={form}
        name="to"
        label={t('organization.target')}
        data={(organizations ?? [])
          .filter((o) => o.id !== organization.id)
          .map((o) => ({ value: o.id, label: o.name }))}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Deletes an empty organization; of a used one it shows the users and devices and offers to move them. */
export function DeleteOrganization({
  organization,
  transfer,
  onClose,
}: {
  organization: Organization;
  transfer: ReactNode | undefined;
  onClose: () => void;
}) {
  const { t } = useText();
  const [moving, setMoving] = useState(false);
  const { id, name, users, devices } = organization;
  if (moving) return transfer;
  if (users + devices === 0)
    return (
      <DeleteDialog
        noun="organization"
        name={name}
        text={t('organization.deleteText')}
        renew={[['organization'], ['session', 'organizations']]}
        remove={() => call(deleteOrganization, { body: { id } })}
        restore={async () => {
          const back = await call(restoreOrganizations, { body: { ids: [id] } });
          await organizationKnown(id);
          return back;
        }}
        onClose={onClose}
      />
    );
  return (
    <Modal opened onClose={onClose} title={t('organization.deleteOne', { name })} withCloseButton={false}>
      <p className={css.effect}>{t('organization.notEmpty', { users: count(users), devices: count(devices) })}</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        {transfer && (
          <Button data-autofocus onClick={() => setMoving(true)}>
            {t('organization.transfer')}
          </Button>
        )}
      </div>
    </Modal>
  );
}
