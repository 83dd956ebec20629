import { useState } from 'react';
import { Checkbox, MultiSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { alarmLevels, webhookEvents } from '@carillon/contracts/message';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { kindNames, kinds } from '../alarm/alarm-kinds.ts';
import { SecretPanel } from './secret-panel.tsx';
import { addWebhook, editWebhook, type Webhook } from './webhook.calls.ts';
import { eventWords } from './webhook-words.ts';
import own from './webhook.module.css';

const isUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
  );
};

/** Adds a webhook and shows its secret once, or edits one. */
export default function WebhookDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: organizations = [] } = useOrganizations();
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? [...webhookEvents],
    kinds: (webhook?.kinds ?? []).map(String),
    level: webhook?.level ?? ('low' as Webhook['level']),
    enabled: webhook?.enabled ?? true,
    orgId: '',
  });
  const { values, set, fault } = form;
  const save = async () => {
    const { orgId, kinds: chosen, ...rest } = values;
    const body = { ...rest, name: values.name.trim(), url: values.url.trim(), kinds: chosen.map(Number) };
    if (webhook) {
      await call(editWebhook, { body: { id: webhook.id, ...body } });
      onClose();
      await done('saved', { name: body.name });
    } else {
      setSecret((await call(addWebhook, { body: { ...body, ...(orgId === '' ? {} : { orgId }) } })).secret);
    }
    await client.invalidateQueries({ queryKey: ['webhook'] });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('webhook.nameMissing') } : {}),
    ...(isUrl(values.url.trim()) ? {} : { url: t('webhook.urlMissing') }),
    ...(values.events.length === 0 ? { events: t('webhook.eventsMissing') } : {}),
  });
  return (
    <FormDialog
      title={webhook ? t('webhook.editOne', { name: webhook.name }) : t('webhook.add')}
      form={form}
      confirm={t(webhook ? 'common.save' : 'webhook.add')}
      result={
        secret === undefined
          ? undefined
          : {
              title: t('webhook.secretOf', { name: values.name.trim() }),
              content: <SecretPanel secret={secret} text={t('webhook.secretText')} onClose={onClose} />,
            }
      }
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('webhook.name')} maxLength={64} data-autofocus />
      <TextField
        form={form}
        name="url"
        type="url"
        label={t('webhook.url')}
        description={t('webhook.urlHint')}
        maxLength={1024}
        spellCheck={false}
      />
      <Checkbox.Group
        label={t('webhook.events')}
        value={values.events}
        onChange={(events) => set({ events: webhookEvents.filter((e) => events.includes(e)) })}
        error={fault('events')}
      >
        <div className={own.events}>
          {webhookEvents.map((event) => (
            <Checkbox key={event} name="events" value={event} label={t(eventWords[event])} />
          ))}
        </div>
      </Checkbox.Group>
      <MultiSelect
        name="kinds"
        label={t('webhook.kinds')}
        description={t('webhook.kindsHint')}
        data={Object.values(kinds).map((kind) => ({
          value: String(kind),
          label: t(`alarm.kind.${kindNames[String(kind)]!}`),
        }))}
        value={values.kinds}
        onChange={(chosen) => set({ kinds: chosen })}
        openOnFocus={false}
      />
      <SelectField
        form={form}
        name="level"
        label={t('webhook.level')}
        data={alarmLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      {!webhook && organizations.length > 1 && (
        <SelectField
          form={form}
          name="orgId"
          label={t('webhook.organization')}
          placeholder={t('webhook.allOrganizations')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
          clearable
        />
      )}
      <CheckField form={form} name="enabled" label={t('webhook.enabled')} />
    </FormDialog>
  );
}
