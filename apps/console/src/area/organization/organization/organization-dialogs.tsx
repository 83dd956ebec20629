import { useState, type ReactNode } from 'react';
import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useOrganizations } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
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
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: organization?.name ?? '',
    description: organization?.description ?? '',
  });
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
    <Modal
      opened
      onClose={onClose}
      title={organization ? t('organization.editOne', { name: organization.name }) : t('organization.add')}
      withCloseButton={false}
    >
      <form
        onSubmit={submit(() => (values.name.trim() === '' ? { name: t('organization.nameMissing') } : {}), save)}
        noValidate
        style={{ display: 'grid', gap: 12 }}
      >
        <TextInput
          name="name"
          label={t('organization.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <Textarea
          name="description"
          label={t('organization.description')}
          maxLength={256}
          value={values.description}
          onChange={(e) => set({ description: e.currentTarget.value })}
          autosize
          minRows={2}
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(organization ? 'common.save' : 'organization.add')}
          </Button>
        </div>
      </form>
    </Modal>
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
  const { values, set, fault, submit, refusal, busy } = useForm({ to: '' });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('organization.transferOne', { name: organization.name })}
      withCloseButton={false}
    >
      <form
        noValidate
        onSubmit={submit(
          () => (values.to === '' ? { to: t('organization.targetMissing') } : {}),
          async () => {
            await call(transferOrganization, { body: { id: organization.id, to: values.to } });
            await onDone();
            await done('transferred', { name: organization.name });
            onClose();
          },
        )}
      >
        <p className={css.effect}>
          {t('organization.transferText', { users: count(organization.users), devices: count(organization.devices) })}
        </p>
        <Select
          name="to"
          label={t('organization.target')}
          data={(organizations ?? [])
            .filter((o) => o.id !== organization.id)
            .map((o) => ({ value: o.id, label: o.name }))}
          value={values.to === '' ? null : values.to}
          onChange={(v) => set({ to: v ?? '' })}
          error={fault('to')}
          data-autofocus
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('organization.transfer')}
          </Button>
        </div>
      </form>
    </Modal>
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
