import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { one } from '../../../kit/browser/address.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLinesQuery, lineKeys, type DeviceLine } from '../line/line.calls.ts';
import { editDevice } from '../record/device-change.calls.ts';
import { deviceQuery } from '../record/device.calls.ts';
import { DeviceFields, linesBody, modelBody, useMissing, type DeviceValues } from './device-form.tsx';

/** Edits all data of a device on one page and in one step. */
export function EditDevicePage() {
  const id = one((useSearch({ strict: false }) as Record<string, unknown>)['id']) ?? '';
  const device = useQuery({ ...deviceQuery(id), retry: false });
  const lines = useQuery({ ...deviceLinesQuery(id), retry: false });
  const access = useAccess();
  if (access.ready && !access.can('editDevice')) return <StatusPage code="403" />;
  if (device.isError || lines.isError) return <StatusPage code="404" />;
  return device.data && lines.data && access.ready ? (
    <EditDeviceForm key={id} device={device.data} lines={lines.data} mayAssign={access.can('assignSipAccount')} />
  ) : null;
}

/** Returns the form's initial values. */
const begin = (device: DeviceRecord, lines: readonly DeviceLine[]): DeviceValues => ({
  name: device.name,
  model: device.model,
  sn: device.sn,
  siteId: device.site?.id ?? '',
  serverId: device.server?.id ?? '',
  orgId: device.orgId,
  lines: lines.flatMap(({ line, account }) =>
    account ? [{ line, accountId: account.id, name: `${account.name} · ${account.number}` }] : [],
  ),
});

function EditDeviceForm({
  device,
  lines,
  mayAssign,
}: {
  device: DeviceRecord;
  lines: readonly DeviceLine[];
  mayAssign: boolean;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const missing = useMissing();
  const [saved, setSaved] = useState(false);
  // The values at the time of opening, so that concurrent changes are not overwritten.
  const [first] = useState(() => begin(device, lines));
  const form = useForm(first);
  const { values, set, fault } = form;
  // Values that older devices never had are required only for new ones.
  const check = () => {
    const wrong = missing(values);
    if (first.siteId === '') delete wrong.siteId;
    if (first.serverId === '') delete wrong.serverId;
    if (first.sn === '') delete wrong.sn;
    return wrong;
  };
  const save = async () => {
    const changed = (field: Exclude<keyof DeviceValues, 'lines'>) => values[field].trim() !== first[field];
    const accounts = linesBody(values.lines).toSorted((a, b) => a.line - b.line);
    const { also = [] } = await call(editDevice, {
      body: {
        id: device.id,
        ...(changed('name') ? { name: values.name.trim() } : {}),
        ...(changed('model') ? modelBody(values.model) : {}),
        ...(changed('sn') ? { sn: values.sn.trim() } : {}),
        ...(changed('siteId') ? { siteId: values.siteId } : {}),
        ...(changed('serverId') ? { serverId: values.serverId } : {}),
        ...(changed('orgId') ? { orgId: values.orgId } : {}),
        ...(mayAssign && JSON.stringify(accounts) !== JSON.stringify(linesBody(first.lines))
          ? { lines: accounts }
          : {}),
      },
    });
    setSaved(true);
    for (const queryKey of lineKeys) await client.invalidateQueries({ queryKey });
    await done('saved', { name: values.name.trim() });
    const others = [...new Set(also.map((device) => device.name))].join(', ');
    if (others !== '') showToast(t('deviceForm.also', { others }));
    await navigate({ to: '/device/deviceDetail', search: { id: device.id } as never, ignoreBlocker: true });
  };
  return (
    <FormPage
      title={t('deviceForm.editOne', { name: device.name })}
      form={form}
      saved={saved}
      disabled={!form.dirty}
      confirm={t('common.save')}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/device/deviceDetail', search: { id: device.id } as never })}
    >
      <DeviceFields values={values} set={set} fault={fault} knownModel={device.model} />
    </FormPage>
  );
}
