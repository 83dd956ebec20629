import { useState } from 'react';
import { Button, Checkbox, MultiSelect, Select, TextInput, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { alarmLevels, sendTypes } from '@carillon/contracts/message';
import { done } from '../../../kit/part/done.ts';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted, useOrganizations } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { roleNamesQuery, userListQuery } from '../../people/user/user.calls.ts';
import { kindNames, kinds } from '../alarm/alarm-kinds.ts';
import { addEmailNotice, editEmailNotice, emailNoticeQuery, type EmailNotice } from './email-notice.calls.ts';
import css from '../../../kit/part/form-page.module.css';

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

function EmailNoticeForm({ notice }: { notice: EmailNotice | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  useClosedWhenLeft(saved);
  const seesUsers = useGranted('/system/users');
  const { data: roles = [] } = useQuery({ ...roleNamesQuery, enabled: seesUsers });
  const { data: users } = useQuery({ ...userListQuery({ limit: 200, sort: 'username' }), enabled: seesUsers });
  const { data: organizations = [] } = useOrganizations();
  const { values, set, fault, submit, refusal, busy, dirty } = useForm({
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
    <div className={css.page}>
      <LeaveGuard when={dirty && !saved} />
      <header className={css.head}>
        <h1>{notice ? t('emailNotice.editOne', { name: notice.title }) : t('emailNotice.add')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, save)} noValidate>
        <div className={css.body}>
          <TextInput
            name="title"
            label={t('emailNotice.title')}
            maxLength={64}
            value={values.title}
            onChange={(e) => set({ title: e.currentTarget.value })}
            error={fault('title')}
            autoComplete="off"
            autoFocus
          />
          <fieldset className={css.group}>
            <legend>{t('emailNotice.recipients')}</legend>
            <Textarea
              name="emails"
              label={t('emailNotice.emails')}
              description={t('emailNotice.emailsHint')}
              autosize
              minRows={2}
              maxRows={6}
              value={values.emails}
              onChange={(e) => set({ emails: e.currentTarget.value })}
              error={fault('emails')}
              autoComplete="off"
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
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('emailNotice.when')}</legend>
            <Select
              name="sendType"
              label={t('emailNotice.sendType')}
              description={t(timed ? 'emailNotice.timedHint' : 'emailNotice.immediateHint')}
              data={sendTypes.map((value) => ({ value, label: t(`emailNotice.sendType.${value}`) }))}
              value={values.sendType}
              onChange={(v) => set({ sendType: (v ?? 'immediate') as EmailNotice['sendType'] })}
              allowDeselect={false}
            />
            {timed && (
              <>
                <TextInput
                  name="time"
                  type="time"
                  label={t('emailNotice.time')}
                  value={values.time}
                  onChange={(e) => set({ time: e.currentTarget.value.slice(0, 5) })}
                  error={fault('time')}
                />
                <Select
                  name="zone"
                  label={t('emailNotice.zone')}
                  data={[...new Set([values.zone, ...Intl.supportedValuesOf('timeZone')])]}
                  value={values.zone}
                  onChange={(zone) => set({ zone: zone ?? values.zone })}
                  error={fault('zone')}
                  allowDeselect={false}
                  searchable
                  openOnFocus={false}
                />
              </>
            )}
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('emailNotice.what')}</legend>
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
            <Select
              name="level"
              label={t('emailNotice.level')}
              data={alarmLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
              value={values.level}
              onChange={(v) => set({ level: (v ?? 'low') as EmailNotice['level'] })}
              allowDeselect={false}
            />
            {!notice && organizations.length > 1 && (
              <Select
                name="orgId"
                label={t('emailNotice.organization')}
                placeholder={t('emailNotice.allOrganizations')}
                data={organizations.map((o) => ({ value: o.id, label: o.name }))}
                value={values.orgId === '' ? null : values.orgId}
                onChange={(orgId) => set({ orgId: orgId ?? '' })}
                error={fault('orgId')}
                clearable
              />
            )}
          </fieldset>
          <Checkbox
            name="enabled"
            label={t('emailNotice.enabled')}
            checked={values.enabled}
            onChange={(e) => set({ enabled: e.currentTarget.checked })}
          />
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={back}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(notice ? 'common.save' : 'emailNotice.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
