import { Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import type { Target } from '../../../kit/grid/selection.ts';
import { useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';

import { modelNamesQuery } from '../model/model.calls.ts';
import { editDevice } from '../record/device-change.calls.ts';
import { type DeviceFilter, serverNamesQuery, deviceChangesQuery } from '../record/device.calls.ts';
import { siteNamesQuery } from '../site/site.calls.ts';
import { addDeviceChange } from './device-change.calls.ts';

const none = '-';

export interface EditDevicesRequest {
  target: Target<DeviceFilter>;
  count: number;
  /** Set when it is about a single device. */
  device?: { id: string; name: string; orgId: string } | undefined;
}

/**
 * Applies the chosen values to a selection of any size; with `organization` only that value, also for a single device.
 */
export default function EditDevices({
  request,
  organization = false,
  onClose,
}: {
  request: EditDevicesRequest;
  organization?: boolean;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const organizations = useOrganizations().data ?? [];
  const { device } = request;
  const number = { count: request.count, number: count(request.count) };
  const form = useForm({
    model: '',
    orgId: device?.orgId ?? '',
    siteId: '',
    serverId: '',
  });
  const { values, set, fault } = form;
  const check = () => {
    if (organization && values.orgId === '') return { orgId: t('deviceChange.organizationMissing') };
    return Object.values(values).every((value) => value === '') ? { model: t('deviceChange.nothing') } : {};
  };
  const save = async () => {
    if (device) {
      await call(editDevice, { body: { id: device.id, orgId: values.orgId } });
      await client.invalidateQueries({ queryKey: ['device'] });
      await done('saved', { name: device.name });
    } else {
      await call(addDeviceChange, {
        body: {
          target: request.target,
          set: {
            ...(values.model === '' ? {} : { model: values.model }),
            ...(values.orgId === '' ? {} : { orgId: values.orgId }),
            ...(values.siteId === '' ? {} : { siteId: values.siteId === none ? null : values.siteId }),
            ...(values.serverId === '' ? {} : { serverId: values.serverId }),
          },
        },
      });
      await client.invalidateQueries(deviceChangesQuery);
    }
    onClose();
  };
  const title = organization
    ? device
      ? t('deviceChange.organizationOne', { name: device.name })
      : t('deviceChange.organizationMany', number)
    : t('deviceChange.editMany', number);
  return (
    <FormDialog
      title={title}
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      {!organization && <DeviceChoices values={values} set={set} fault={fault} />}
      {(organization || organizations.length > 1) && (
        <SelectField
          form={form}
          name="orgId"
          label={t('device.organization')}
          description={t('deviceChange.groupsHint')}
          {...(organization ? {} : { placeholder: t('deviceChange.unchanged') })}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
          clearable={!organization}
          openOnFocus={false}
          data-autofocus={organization}
        />
      )}
    </FormDialog>
  );
}

type Values = Record<'model' | 'orgId' | 'siteId' | 'serverId', string>;

/** Model, site and server; values that are not chosen stay unchanged on each device. */
function DeviceChoices({
  values,
  set,
  fault,
}: {
  values: Values;
  set: (change: Partial<Values>) => void;
  fault: (field: keyof Values) => React.ReactNode;
}) {
  const { t } = useText();
  const models = useQuery(modelNamesQuery()).data ?? [];
  const sites = useQuery(siteNamesQuery()).data ?? [];
  const servers = useQuery(serverNamesQuery()).data ?? [];
  const choice = (name: 'model' | 'siteId' | 'serverId', label: string, data: { value: string; label: string }[]) => (
    <Select
      name={name}
      label={label}
      placeholder={t('deviceChange.unchanged')}
      data={data}
      value={values[name] === '' ? null : values[name]}
      onChange={(v) => set({ [name]: v ?? '' })}
      error={fault(name)}
      clearable
      searchable={data.length > 8}
      openOnFocus={false}
    />
  );
  return (
    <>
      {choice(
        'model',
        t('device.model'),
        models.map((m) => ({ value: m.name, label: m.showName === '' ? m.name : m.showName })),
      )}
      {choice('siteId', t('device.site'), [
        { value: none, label: t('device.noSite') },
        ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
      ])}
      {choice(
        'serverId',
        t('device.sipServer'),
        servers.map((s) => ({ value: s.id, label: s.name })),
      )}
    </>
  );
}
