import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FcsConfig } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { FormPage } from '../../../kit/part/form-page.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { isCallError } from '../../../kit/api/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';

await systemTexts();

/** Adds an FCS SIP server (ACC-03). */
export function AddFcsServerPage() {
  const { t } = useText();
  const access = useAccess();
  const navigate = useNavigate();
  const save = useSaveConfig();
  const { data } = useQuery(configQuery<FcsConfig>('fcs'));
  const form = useForm({
    name: '',
    address: '',
    port: 5061 as number | string,
    transport: 'tls' as 'udp' | 'tcp' | 'tls',
    domain: '',
  });
  const { values } = form;
  const [saved, setSaved] = useState(false);
  if (access.ready && !access.can('editConfig')) return <StatusPage code="403" />;
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('config.missing') } : {}),
    ...(values.address.trim() === '' ? { address: t('config.missing') } : {}),
  });
  async function submit() {
    const server = {
      ...values,
      name: values.name.trim(),
      address: values.address.trim(),
      port: Number(values.port),
      domain: values.domain.trim(),
    };
    try {
      await save({ configKey: 'fcs', value: { ...data!, servers: [...data!.servers, server] } });
    } catch (e) {
      // Faults of the last server in the list are faults of this form.
      if (isCallError(e)) for (const field of e.fields) field.path = field.path.split('.').at(-1)!;
      throw e;
    }
    setSaved(true);
    await done('added', { name: server.name });
    await navigate({ to: '/system/config', search: { tab: 'fcs' }, ignoreBlocker: true });
  }
  return (
    <FormPage
      title={t('config.addFcs')}
      form={form}
      saved={saved}
      disabled={data === undefined}
      confirm={t('common.save')}
      onSubmit={form.submit(check, submit)}
      onCancel={() => void navigate({ to: '/system/config', search: { tab: 'fcs' } as never })}
    >
      <TextField form={form} name="name" label={t('config.name')} maxLength={64} autoFocus />
      <TextField
        form={form}
        name="address"
        label={t('config.address')}
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
      />
      <NumberField form={form} name="port" label={t('config.port')} min={1} max={65535} />
      <SelectField
        form={form}
        name="transport"
        label={t('config.transport')}
        data={(['udp', 'tcp', 'tls'] as const).map((value) => ({ value, label: value.toUpperCase() }))}
      />
      <TextField
        form={form}
        name="domain"
        label={t('config.domain')}
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormPage>
  );
}
