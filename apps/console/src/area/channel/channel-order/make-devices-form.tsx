import type { ReactNode } from 'react';
import { Button, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { serverNamesQuery } from '../../device/record/device.calls.ts';
import { siteNamesQuery } from '../../device/site/site.calls.ts';
import { makeDevicesOfOrders, type Made, type OrderTarget } from './channel-order.calls.ts';
import { useLines } from './choose-lines.tsx';

const none = '-';

/** Makes devices of stock: asks for their name pattern, site, SIP server and organization. */
export function MakeDevicesForm({
  given,
  frame,
  onMade,
}: {
  given: { target: OrderTarget; count: number } | undefined;
  /** Renders the fields and the button that submits them. */
  frame: (parts: { fields: ReactNode; send: ReactNode }) => ReactNode;
  onMade: (made: Made) => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const sites = useQuery(siteNamesQuery()).data ?? [];
  const servers = useQuery(serverNamesQuery()).data ?? [];
  const organizations = useOrganizations().data ?? [];
  const lines = useLines(given, { all: true });
  const form = useForm({
    name: '{model} {mac4}',
    siteId: none,
    serverId: '',
    orgId: '',
    lines: '',
  });
  const { values, set, fault, refusal, busy } = form;
  // The only server is chosen from the start, as in the form of one device.
  const serverId = values.serverId || (servers.length === 1 ? servers[0]!.id : none);
  const save = async () => {
    const made = await call(makeDevicesOfOrders, {
      body: {
        target: lines.target(),
        name: values.name.trim(),
        siteId: values.siteId === none ? null : values.siteId,
        ...(serverId === none ? {} : { serverId }),
        ...(values.orgId === '' ? {} : { orgId: values.orgId }),
      },
    });
    await client.invalidateQueries({ queryKey: ['channelOrder'] });
    await client.invalidateQueries({ queryKey: ['device'] });
    onMade(made);
  };
  const check = () => {
    const ready = lines.check();
    return {
      ...(values.name.trim() === '' ? { name: t('channelOrder.nameMissing') } : {}),
      ...(ready ? {} : { lines: '' }),
    };
  };
  const fields = (
    <>
      {lines.fields}
      <TextField
        form={form}
        name="name"
        label={t('channelOrder.name')}
        description={t('channelOrder.nameHint')}
        maxLength={48}
      />
      <SelectField
        form={form}
        name="siteId"
        label={t('channelOrder.site')}
        data={[
          { value: none, label: t('channelOrder.siteNone') },
          ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
        ]}
      />
      <Select
        name="serverId"
        label={t('device.sipServer')}
        data={[
          { value: none, label: t('channelOrder.siteNone') },
          ...servers.map((s) => ({ value: s.id, label: `${s.name} · ${s.address}` })),
        ]}
        value={serverId}
        onChange={(v) => set({ serverId: v ?? none })}
        error={fault('serverId')}
        allowDeselect={false}
        searchable={servers.length > 8}
      />
      {organizations.length > 1 && (
        <SelectField
          form={form}
          name="orgId"
          label={t('channelOrder.organization')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
        />
      )}
      <RefusalBox refusal={refusal} />
    </>
  );
  const send = (
    <Button type="submit" loading={busy}>
      {lines.amount > 0
        ? t('channelOrder.toDeviceMany', { count: lines.amount, number: count(lines.amount) })
        : t('channelOrder.toDevice')}
    </Button>
  );
  return (
    <form onSubmit={form.submit(check, save)} noValidate style={{ display: 'contents' }}>
      {frame({ fields, send })}
    </form>
  );
}
