import { useState } from 'react';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { sipTransports } from '@carillon/contracts/sip';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { done } from '../../../kit/part/done.ts';
import { TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addSipServer, editSipServer, sipServerQuery, type SipServer } from './sip-server.calls.ts';
import own from '../sip-form.module.css';

const route = getRouteApi('/_main/account/sip/editSipServer');

export function AddSipServerPage() {
  const access = useAccess();
  if (!access.can('addSipServer')) return access.ready && <StatusPage code="403" />;
  return <SipServerForm server={undefined} />;
}

export function EditSipServerPage() {
  const { id = '' } = route.useSearch();
  const server = useQuery(sipServerQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editSipServer')) return <StatusPage code="403" />;
  if (server.isError) return <StatusPage code="404" />;
  return server.data && access.ready ? <SipServerForm server={server.data} /> : null;
}

/** Returns the standard port of a transport (RFC 3261, section 18.1.1). */
const portOf = (transport: string): number => (transport === 'tls' ? 5061 : 5060);

function SipServerForm({ server }: { server: SipServer | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const form = useForm({
    name: server?.name ?? '',
    address: server?.address ?? '',
    transport: server?.transport ?? ('udp' as SipServer['transport']),
    port: (server?.port ?? 5060) as number | '',
    domain: server?.domain ?? '',
    proxyAddress: server?.proxyAddress ?? '',
    proxyPort: (server?.proxyPort ?? '') as number | '',
    backupAddress: server?.backupAddress ?? '',
    backupPort: (server?.backupPort ?? '') as number | '',
  });
  const { values, set, fault } = form;
  const back = () => void navigate({ to: '/account/sip/sipServer', search: {} as never });
  const orNull = <T,>(value: T | ''): T | null => (value === '' ? null : value);
  const save = async () => {
    const body = {
      name: values.name.trim(),
      address: values.address.trim(),
      transport: values.transport,
      port: Number(values.port),
      domain: values.domain.trim(),
      proxyAddress: orNull(values.proxyAddress.trim()),
      proxyPort: orNull(values.proxyPort),
      backupAddress: orNull(values.backupAddress.trim()),
      backupPort: orNull(values.backupPort),
    };
    await (server ? call(editSipServer, { body: { id: server.id, ...body } }) : call(addSipServer, { body }));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['sipServer'] });
    await done(server ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/account/sip/sipServer', search: {} as never, ignoreBlocker: true });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('sipServer.nameMissing') } : {}),
    ...(values.address.trim() === '' ? { address: t('sipServer.addressMissing') } : {}),
    ...(values.port === '' ? { port: t('sipServer.portMissing') } : {}),
  });
  const text = (field: 'address' | 'domain' | 'proxyAddress' | 'backupAddress', label: string, hint?: string) => (
    <TextInput
      name={field}
      label={label}
      {...(hint === undefined ? {} : { description: hint })}
      maxLength={253}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      classNames={{ input: 'mono' }}
    />
  );
  const port = (field: 'port' | 'proxyPort' | 'backupPort') => (
    <NumberInput
      name={field}
      label={t(`sipServer.${field}`)}
      min={1}
      max={65_535}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={values[field]}
      onChange={(value) => set({ [field]: value === '' ? '' : Number(value) })}
      error={fault(field)}
    />
  );
  return (
    <FormPage
      title={server ? t('sipServer.editOne', { name: server.name }) : t('sipServer.add')}
      form={form}
      saved={saved}
      confirm={t(server ? 'common.save' : 'sipServer.add')}
      onSubmit={form.submit(check, save)}
      onCancel={back}
    >
      <TextField form={form} name="name" label={t('sipServer.name')} maxLength={64} autoFocus />
      <div className={own.place}>
        {text('address', t('sipServer.address'), t('sipServer.addressHint'))}
        {port('port')}
      </div>
      <Select
        name="transport"
        label={t('sipServer.transport')}
        data={sipTransports.map((value) => ({ value, label: t(`sipServer.transport.${value}`) }))}
        value={values.transport}
        onChange={(v) => {
          const transport = (v ?? 'udp') as SipServer['transport'];
          // A port that the user chose stays.
          set({ transport, ...(values.port === portOf(values.transport) ? { port: portOf(transport) } : {}) });
        }}
        allowDeselect={false}
      />
      {text('domain', t('sipServer.domain'), t('sipServer.domainHint'))}
      <FormGroup title={t('sipServer.proxy')}>
        <div className={own.place}>
          {text('proxyAddress', t('sipServer.proxyAddress'))}
          {port('proxyPort')}
        </div>
      </FormGroup>
      <FormGroup title={t('sipServer.backup')}>
        <div className={own.place}>
          {text('backupAddress', t('sipServer.backupAddress'))}
          {port('backupPort')}
        </div>
      </FormGroup>
    </FormPage>
  );
}
