import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FcsConfig } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { isCallError } from '../../../kit/session/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from '../../../kit/part/form-page.module.css';

await systemTexts();

/** Adds an FCS SIP server (spec, section 2: /system/config/addFcsSipServer). */
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
  const { values, set, fault } = form;
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
    await done('added', { name: server.name });
    await navigate({ to: '/system/config', search: { tab: 'fcs' } });
  }
  return (
    <div className={css.page}>
      <form className={css.form} onSubmit={form.submit(check, submit)} noValidate aria-labelledby="fcs-title">
        <header className={css.head}>
          <h1 id="fcs-title">{t('config.addFcs')}</h1>
        </header>
        <div className={css.body}>
          <TextInput
            name="name"
            label={t('config.name')}
            maxLength={64}
            value={values.name}
            onChange={(e) => set({ name: e.currentTarget.value })}
            error={fault('name')}
            autoComplete="off"
            autoFocus
          />
          <TextInput
            name="address"
            label={t('config.address')}
            maxLength={253}
            value={values.address}
            onChange={(e) => set({ address: e.currentTarget.value })}
            error={fault('address')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <NumberInput
            name="port"
            label={t('config.port')}
            min={1}
            max={65535}
            value={values.port}
            onChange={(port) => set({ port })}
            error={fault('port')}
          />
          <Select
            name="transport"
            label={t('config.transport')}
            data={(['udp', 'tcp', 'tls'] as const).map((value) => ({ value, label: value.toUpperCase() }))}
            value={values.transport}
            onChange={(v) => set({ transport: v as 'tls' })}
            allowDeselect={false}
          />
          <TextInput
            name="domain"
            label={t('config.domain')}
            maxLength={253}
            value={values.domain}
            onChange={(e) => set({ domain: e.currentTarget.value })}
            error={fault('domain')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <RefusalBox refusal={form.refusal} />
        </div>
        <footer className={css.foot}>
          <Button component={Link} to="/system/config" search={{ tab: 'fcs' } as never} variant="default">
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={data === undefined}>
            {t('common.save')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
