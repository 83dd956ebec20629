import { useState } from 'react';
import { MultiSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { alarmLevels, sendTypes } from '@carillon/contracts/message';
import { done } from '../../../kit/part/done.ts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { AreaField, CheckField, SelectField, TextField, ZoneField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted, useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { roleNamesQuery, userListQuery } from '../../people/user/user.calls.ts';
import { kindNames, kinds } from '../alarm/alarm-kinds.ts';
import { addEmailNotice, editEmailNotice, emailNoticeQuery, type EmailNotice } from './email-notice.calls.ts';

const route = getRouteApi('/_main/system/emailNotice_/editEmailNotice');

export function AddEmailNoticePage() {
  const access = useAccess();
  if (!access.can('addEmailNotice')) return access.ready && <StatusPage code="403" />;
  return <EmailNoticeForm notice={undefined} />;
}

export function EditEmailNoticePage() {
  const { id = '' } = route.useSearch();
  const notice = useQuery(emailNoticeQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editEmailNotice')) return <StatusPage code="403" />;
  if (notice.isError) return <StatusPage code="404" />;
  return notice.data && access.ready ? <EmailNoticeForm notice={notice.data} /> : null;
}

const addresses = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];

const valuesOf = (notice: EmailNotice | undefined) => ({
  title: notice?.title ?? '',
  emails: (notice?.emails ?? []).join('\n'),
  roleIds: notice?.roleIds ?? [],
  userIds: notice?.userIds ?? [],
  sendType: notice?.sendType ?? ('immediate' as EmailNotice['sendType']),
  time: notice?.time ?? '08:00',
  zone: notice?.zone ?? ownZone(),
  kinds: (notice?.kinds ?? []).map(String),
  level: notice?.level ?? ('medium' as EmailNotice['level']),
  enabled: notice?.enabled ?? true,
  orgId: '',
});
type Values = ReturnType<typeof valuesOf>;

function EmailNoticeForm({ notice }: { notice: EmailNotice | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const form = useForm(valuesOf(notice));
  const { values } = form;
  const back = () => void navigate({ to: '/system/emailNotice', search: {} as never });
  const timed = values.sendType === 'timed';
  const save = async () => {
    const { orgId, title, emails, time, zone, kinds: chosen, ...rest } = values;
    const body = {
      ...rest,
      title: title.trim(),
      emails: addresses(emails),
      kinds: chosen.map(Number),
      time: timed ? time : null,
      zone: timed ? zone : null,
    };
    await (notice
      ? call(editEmailNotice, { body: { id: notice.id, ...body } })
      : call(addEmailNotice, { body: { ...body, ...(orgId === '' ? {} : { orgId }) } }));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['emailNotice'] });
    await done(notice ? 'saved' : 'added', { name: body.title });
    await navigate({ to: '/system/emailNotice', search: {} as never, ignoreBlocker: true });
  };
  const check = () => ({
    ...(values.title.trim() === '' ? { title: t('emailNotice.titleMissing') } : {}),
    ...(addresses(values.emails).length + values.roleIds.length + values.userIds.length === 0
      ? { emails: t('emailNotice.nobody') }
      : {}),
    ...(timed && values.time === '' ? { time: t('emailNotice.timeMissing') } : {}),
  });
  return (
    <FormPage
      title={notice ? t('emailNotice.editOne', { name: notice.title }) : t('emailNotice.add')}
      form={form}
      saved={saved}
      confirm={t(notice ? 'common.save' : 'emailNotice.add')}
      onSubmit={form.submit(check, save)}
      onCancel={back}
    >
      <TextField form={form} name="title" label={t('emailNotice.title')} maxLength={64} autoFocus />
      <RecipientFields form={form} />
      <TimeFields form={form} />
      <AlarmFields form={form} isNew={notice === undefined} />
      <CheckField form={form} name="enabled" label={t('emailNotice.enabled')} />
    </FormPage>
  );
}

/** Who gets the mails: addresses, roles and users. */
function RecipientFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  const { values, set } = form;
  const seesUsers = useGranted('/system/users');
  const { data: roles = [] } = useQuery({ ...roleNamesQuery, enabled: seesUsers });
  const { data: users } = useQuery({ ...userListQuery({ limit: 200, sort: 'username' }), enabled: seesUsers });
  return (
    <FormGroup title={t('emailNotice.recipients')}>
      <AreaField
        form={form}
        name="emails"
        label={t('emailNotice.emails')}
        description={t('emailNotice.emailsHint')}
        maxRows={6}
        spellCheck={false}
      />
      {seesUsers && (
        <>
          <MultiSelect
            name="roleIds"
            label={t('emailNotice.roles')}
            description={t('emailNotice.groupHint')}
            data={roles.map((r) => ({ value: r.id, label: r.name }))}
            value={values.roleIds}
            onChange={(roleIds) => set({ roleIds })}
            openOnFocus={false}
          />
          <MultiSelect
            name="userIds"
            label={t('emailNotice.users')}
            data={(users?.records ?? []).map((u) => ({ value: u.id, label: u.username }))}
            value={values.userIds}
            onChange={(userIds) => set({ userIds })}
            searchable
            openOnFocus={false}
          />
        </>
      )}
    </FormGroup>
  );
}

/** Sends mails at once, or collects them until a time of day. */
function TimeFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  const timed = form.values.sendType === 'timed';
  return (
    <FormGroup title={t('emailNotice.when')}>
      <SelectField
        form={form}
        name="sendType"
        label={t('emailNotice.sendType')}
        description={t(timed ? 'emailNotice.timedHint' : 'emailNotice.immediateHint')}
        data={sendTypes.map((value) => ({ value, label: t(`emailNotice.sendType.${value}`) }))}
      />
      {timed && (
        <>
          <TextField
            form={form}
            name="time"
            type="time"
            label={t('emailNotice.time')}
            also={(time) => ({ time: time.slice(0, 5) })}
          />
          <ZoneField form={form} name="zone" label={t('emailNotice.zone')} />
        </>
      )}
    </FormGroup>
  );
}

/** Which alarms are sent, and of which organization. */
function AlarmFields({ form, isNew }: { form: Form<Values>; isNew: boolean }) {
  const { t } = useText();
  const { values, set } = form;
  const { data: organizations = [] } = useOrganizations();
  return (
    <FormGroup title={t('emailNotice.what')}>
      <MultiSelect
        name="kinds"
        label={t('emailNotice.kinds')}
        description={t('emailNotice.kindsHint')}
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
        label={t('emailNotice.level')}
        data={alarmLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      {isNew && organizations.length > 1 && (
        <SelectField
          form={form}
          name="orgId"
          label={t('emailNotice.organization')}
          placeholder={t('emailNotice.allOrganizations')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
          clearable
        />
      )}
    </FormGroup>
  );
}
