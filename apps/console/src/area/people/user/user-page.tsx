import { useState } from 'react';
import { Button, Checkbox, MultiSelect, Radio, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Language, UserRecord } from '@carillon/contracts';
import { subAccountAge } from '@carillon/contracts/constants';
import { missingParts } from '@carillon/contracts/password';
import { Facts } from '../../../kit/part/facts.tsx';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useOrganizations, useUser } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useMailReady } from '../../../kit/session/mail-ready.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { countryOptions, noCountry } from '../../../kit/text/country.ts';
import { languageNames } from '../../../kit/session/language.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions } from '../../../kit/text/zone.ts';
import { FirstLogin } from './first-login.tsx';
import { FirstPassword, newFirstPassword } from './first-password.tsx';
import { NoMail } from './no-mail.tsx';
import { UserState } from './user-state.tsx';
import { addUser, editUser, roleNamesQuery, userQuery } from './user.calls.ts';
import css from '../../../kit/part/form-page.module.css';

const route = getRouteApi('/_main/system/users_/editUser');

export function EditUserPage() {
  const { id = '' } = route.useSearch();
  const user = useQuery(userQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editUser')) return <StatusPage code="403" />;
  if (user.isError) return <StatusPage code="404" />;
  return user.data && access.ready ? <UserForm key={user.data.id} user={user.data} /> : null;
}

export function AddUserPage() {
  const access = useAccess();
  const mailReady = useMailReady();
  if (!access.can('addUser')) return access.ready && <StatusPage code="403" />;
  return mailReady === undefined ? null : <UserForm mailReady={mailReady} />;
}

/** One person: who he is, what he may do, where (USER-01). */
function UserForm({ user, mailReady = true }: { user?: UserRecord; mailReady?: boolean }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: self } = useUser();
  const { data: roles } = useQuery(roleNamesQuery);
  const { data: organizations } = useOrganizations();
  const zones = useZoneOptions();
  const [made, setMade] = useState<{ user: UserRecord; password: string }>();
  const [saved, setSaved] = useState(false);
  const own = user !== undefined && user.id === self?.userId;
  const form = useForm({
    username: user?.username ?? '',
    nickname: user?.nickname ?? '',
    email: user?.email ?? '',
    accountType: user?.accountType ?? 'ordinary',
    roleIds: user?.roles.map((r) => r.id) ?? [],
    allOrgs: user?.allOrgs ?? false,
    orgIds: user?.orgs.map((o) => o.id) ?? [],
    language: (user?.language ?? '') as string,
    timezoneId: String(user?.timezoneId ?? self?.timezoneId ?? 1),
    countryId: String(user?.countryId ?? noCountry),
    erpId: user?.erpId ?? '',
    activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
    password: mailReady ? '' : newFirstPassword(),
    oldEnough: false,
  });
  const { values, set, fault } = form;
  useClosedWhenLeft(saved || made !== undefined);
  const check = () => ({
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(user === undefined && values.activation === 'email' && values.email.trim() === ''
      ? { email: t('user.emailMissing') }
      : {}),
    ...(values.roleIds.length === 0 ? { roleIds: t('user.rolesMissing') } : {}),
    ...(!values.allOrgs && values.orgIds.length === 0 ? { orgIds: t('user.organizationsMissing') } : {}),
    ...(user === undefined &&
    values.activation === 'password' &&
    missingParts(values.password, [values.username, values.email]).length > 0
      ? { password: t('password.rule') }
      : {}),
    ...(user === undefined && !values.oldEnough ? { oldEnough: t('user.tooYoung') } : {}),
  });
  async function save() {
    const body = {
      username: values.username.trim(),
      nickname: values.nickname.trim(),
      email: values.email.trim() === '' ? null : values.email.trim(),
      accountType: values.accountType,
      roleIds: values.roleIds,
      allOrgs: values.allOrgs,
      orgIds: values.allOrgs ? [] : values.orgIds,
      language: values.language === '' ? null : (values.language as Language),
      timezoneId: Number(values.timezoneId),
      countryId: Number(values.countryId),
      erpId: values.erpId.trim() === '' ? null : values.erpId.trim(),
    };
    if (user) {
      await call(editUser, { body: { id: user.id, ...body } });
      setSaved(true);
    } else {
      const added = await call(addUser, {
        body: {
          ...body,
          activation: values.activation,
          oldEnough: values.oldEnough,
          ...(values.activation === 'password' ? { password: values.password } : {}),
        },
      });
      setMade({ user: added, password: values.activation === 'password' ? values.password : '' });
    }
    await client.invalidateQueries({ queryKey: ['user'] });
    if (own) await client.invalidateQueries({ queryKey: ['session'] });
    if (user) await navigate({ to: '/system/users', search: {} as never, ignoreBlocker: true });
  }
  const types =
    self?.accountType === 'super'
      ? (['ordinary', 'channel', 'super'] as const)
      : self?.accountType === 'channel'
        ? (['ordinary', 'channel'] as const)
        : (['ordinary'] as const);
  if (made) return <Made {...made} />;
  return (
    <div className={css.page}>
      <LeaveGuard when={form.dirty && !saved} />
      <header className={css.head}>
        <h1>{user ? t('user.edit', { name: user.username }) : t('user.add')}</h1>
      </header>
      <form className={css.form} onSubmit={form.submit(check, save)} noValidate>
        <div className={css.body}>
          <TextInput
            name="username"
            label={t('user.username')}
            description={t('user.usernameHint')}
            maxLength={64}
            value={values.username}
            onChange={(e) => set({ username: e.currentTarget.value })}
            error={fault('username')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
          <TextInput
            name="nickname"
            label={t('user.nickname')}
            maxLength={64}
            value={values.nickname}
            onChange={(e) => set({ nickname: e.currentTarget.value })}
            error={fault('nickname')}
            autoComplete="off"
          />
          <TextInput
            name="email"
            type="email"
            label={t('user.email')}
            maxLength={254}
            value={values.email}
            onChange={(e) => set({ email: e.currentTarget.value })}
            error={fault('email')}
            autoComplete="off"
          />
          <MultiSelect
            name="roleIds"
            label={t('user.roles')}
            data={(roles ?? []).map((r) => ({
              value: r.id,
              label: r.name,
              disabled: !r.givable && !values.roleIds.includes(r.id),
            }))}
            value={values.roleIds}
            onChange={(roleIds) => set({ roleIds })}
            error={fault('roleIds')}
            disabled={own}
            description={own ? t('user.notYourself') : undefined}
          />
          <Radio.Group
            label={t('user.organizations')}
            value={values.allOrgs ? 'all' : 'some'}
            onChange={(v) => set({ allOrgs: v === 'all' })}
          >
            <div style={{ display: 'flex', gap: 20, padding: '4px 0', flexWrap: 'wrap' }}>
              <Radio value="some" label={t('user.someOrganizations')} disabled={own} />
              <Radio value="all" label={t('user.allOrganizationsHint')} disabled={own || self?.allOrgs === false} />
            </div>
          </Radio.Group>
          {!values.allOrgs && (
            <MultiSelect
              name="orgIds"
              aria-label={t('user.organizations')}
              data={(organizations ?? []).map((o) => ({ value: o.id, label: o.name }))}
              value={values.orgIds}
              onChange={(orgIds) => set({ orgIds })}
              error={fault('orgIds')}
              disabled={own}
            />
          )}
          {types.length > 1 && (
            <Select
              name="accountType"
              label={t('user.type')}
              data={types.map((v) => ({ value: v, label: t(`accountType.${v}`) }))}
              value={values.accountType}
              onChange={(v) => set({ accountType: v as 'ordinary' })}
              allowDeselect={false}
              disabled={own}
            />
          )}
          {user === undefined && (
            <div style={{ display: 'grid', gap: 8 }}>
              <span className="mantine-InputWrapper-label" id="activation-label">
                {t('user.activation')}
              </span>
              <SegmentedControl
                aria-labelledby="activation-label"
                data={[
                  { value: 'email', label: t('user.byEmail') },
                  { value: 'password', label: t('user.byPassword') },
                ]}
                value={values.activation}
                onChange={(v) =>
                  set({
                    activation: v as 'email',
                    ...(v === 'password' && values.password === '' ? { password: newFirstPassword() } : {}),
                  })
                }
              />
              <span style={{ color: 'var(--text-2)', fontSize: 12 }}>
                {t(values.activation === 'email' ? 'user.byEmailHint' : 'user.byPasswordHint')}
              </span>
              {!mailReady && <NoMail />}
            </div>
          )}
          {user === undefined && values.activation === 'password' && (
            <FirstPassword
              value={values.password}
              names={[values.username, values.email]}
              onValue={(password) => set({ password })}
              error={fault('password')}
            />
          )}
          <Select
            name="language"
            label={t('user.language')}
            data={[
              { value: '', label: t('user.languageOfBrowser') },
              ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
            ]}
            value={values.language}
            onChange={(v) => set({ language: v ?? '' })}
            allowDeselect={false}
          />
          <Select
            name="timezoneId"
            label={t('user.timezone')}
            data={zones}
            value={values.timezoneId}
            onChange={(v) => set({ timezoneId: v ?? '1' })}
            allowDeselect={false}
            searchable
          />
          <Select
            name="countryId"
            label={t('user.country')}
            data={countryOptions(t('user.countryNone'))}
            value={values.countryId}
            onChange={(v) => set({ countryId: v ?? noCountry })}
            allowDeselect={false}
            searchable
          />
          <TextInput
            name="erpId"
            label={t('user.erpId')}
            maxLength={64}
            value={values.erpId}
            onChange={(e) => set({ erpId: e.currentTarget.value })}
            error={fault('erpId')}
            autoComplete="off"
          />
          {user && (
            <Facts
              items={[
                [t('user.status'), <UserState key="s" status={user.status} />],
                [t('user.company'), user.companyName],
                [t('user.lastLogin'), moment(user.lastLoginAt)],
                [t('user.createdBy'), user.createdBy],
                [t('user.editor'), user.editor],
                [t('user.created'), moment(user.createdAt)],
                [t('user.updated'), moment(user.updatedAt)],
              ]}
            />
          )}
          {user === undefined && (
            <Checkbox
              name="oldEnough"
              label={t('user.oldEnough', { age: subAccountAge })}
              checked={values.oldEnough}
              onChange={(e) => set({ oldEnough: e.currentTarget.checked })}
              error={fault('oldEnough')}
            />
          )}
          <RefusalBox refusal={form.refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={() => void navigate({ to: '/system/users', search: {} as never })}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t(user ? 'common.save' : 'user.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}

/** What the new person has to be told; a mail says it itself. */
function Made({ user, password }: { user: UserRecord; password: string }) {
  const { t } = useText();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('user.added', { name: user.username })}</h1>
      </header>
      <div className={css.body}>
        {password === '' ? (
          <p>{t('user.mailed', { email: user.email ?? '' })}</p>
        ) : (
          <FirstLogin username={user.username} password={password} />
        )}
      </div>
      <footer className={css.foot}>
        <Button variant="default" onClick={() => location.reload()}>
          {t('user.addAnother')}
        </Button>
        <Button component={Link} to="/system/users" search={{} as never}>
          {t('common.done')}
        </Button>
      </footer>
    </div>
  );
}
