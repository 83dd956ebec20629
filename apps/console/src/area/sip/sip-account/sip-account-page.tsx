import { useState } from 'react';
import { Button, Checkbox, PasswordInput, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { done } from '../../../kit/part/done.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted, useOrganizations } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { organization, session } from '../../../kit/session/session.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { siteNamesQuery } from '../../device/site/site.calls.ts';
import { sipServerNamesQuery } from '../sip-server/sip-server.calls.ts';
import { addSipAccount, editSipAccount, sipAccountQuery, type SipAccount } from './sip-account.calls.ts';
import css from '../../../kit/part/form-page.module.css';
import own from '../sip-form.module.css';

const adding = getRouteApi('/_main/account/sip/addSipAccount');
const editing = getRouteApi('/_main/account/sip/editSipAccount');
const none = '-';
const passwords = ['authPassword', 'proxyPassword', 'voicemailPassword'] as const;
type Password = (typeof passwords)[number];

export function AddSipAccountPage() {
  const { server } = adding.useSearch();
  const access = useAccess();
  if (!access.can('addSipAccount')) return access.ready && <StatusPage code="403" />;
  return access.ready && <SipAccountForm account={undefined} server={server} />;
}

export function EditSipAccountPage() {
  const { id = '' } = editing.useSearch();
  const account = useQuery(sipAccountQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editSipAccount')) return <StatusPage code="403" />;
  if (account.isError) return <StatusPage code="404" />;
  return account.data && access.ready ? <SipAccountForm account={account.data} server={undefined} /> : null;
}

function SipAccountForm({ account, server }: { account: SipAccount | undefined; server: string | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const seesDevices = useGranted('/device/list');
  const servers = useQuery(sipServerNamesQuery()).data;
  const sites = useQuery({ ...siteNamesQuery(), enabled: seesDevices }).data ?? [];
  const { data: organizations } = useOrganizations();
  const [saved, setSaved] = useState(false);
  useClosedWhenLeft(saved);
  const { values, set, fault, submit, refusal, busy, dirty } = useForm({
    name: account?.name ?? '',
    number: account?.number ?? '',
    displayName: account?.displayName ?? '',
    serverId: account?.server.id ?? server ?? '',
    siteId: account?.site?.id ?? none,
    orgId: account?.orgId ?? (organization() === '1' ? (session()?.orgId ?? '') : organization()),
    authUser: account?.authUser ?? '',
    authPassword: '',
    proxyUser: account?.proxyUser ?? '',
    proxyPassword: '',
    voicemailNumber: account?.voicemailNumber ?? '',
    voicemailPassword: '',
    /** Passwords that are to be taken away. */
    cleared: [] as readonly Password[],
  });
  const isSet: Record<Password, boolean> = {
    authPassword: account?.authPasswordSet ?? false,
    proxyPassword: account?.proxyPasswordSet ?? false,
    voicemailPassword: account?.voicemailPasswordSet ?? false,
  };
  const save = async () => {
    const body = {
      name: values.name.trim(),
      number: values.number.trim(),
      displayName: values.displayName.trim(),
      serverId: values.serverId,
      siteId: values.siteId === none ? null : values.siteId,
      orgId: values.orgId,
      authUser: values.authUser.trim(),
      proxyUser: values.proxyUser.trim(),
      voicemailNumber: values.voicemailNumber.trim(),
      ...Object.fromEntries(
        passwords.flatMap((password): [string, string | null][] =>
          values.cleared.includes(password)
            ? [[password, null]]
            : values[password] === ''
              ? []
              : [[password, values[password]]],
        ),
      ),
    };
    await (account ? call(editSipAccount, { body: { id: account.id, ...body } }) : call(addSipAccount, { body }));
    setSaved(true);
    for (const queryKey of [['sipAccount'], ['sipServer'], ['device']]) await client.invalidateQueries({ queryKey });
    await done(account ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/account/sip/sipAccount', search: {} as never, ignoreBlocker: true });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('sipAccount.nameMissing') } : {}),
    ...(values.number.trim() === '' ? { number: t('sipAccount.numberMissing') } : {}),
    ...(values.serverId === '' ? { serverId: t('sipAccount.serverMissing') } : {}),
  });
  const text = (
    field: 'name' | 'number' | 'displayName' | 'authUser' | 'proxyUser' | 'voicemailNumber',
    { most = 64, mono = false, hint }: { most?: number; mono?: boolean; hint?: string } = {},
  ) => (
    <TextInput
      name={field}
      label={t(`sipAccount.${field}`)}
      {...(hint === undefined ? {} : { description: hint })}
      maxLength={most}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      {...(mono ? { autoCapitalize: 'none', spellCheck: false, classNames: { input: 'mono' } } : {})}
      {...(field === 'name' ? { autoFocus: true } : {})}
    />
  );
  const password = (field: Password) => (
    <div className={own.password}>
      <PasswordInput
        name={field}
        label={t(`sipAccount.${field}`)}
        {...(isSet[field] ? { description: t('sipAccount.passwordKept') } : {})}
        maxLength={128}
        value={values[field]}
        disabled={values.cleared.includes(field)}
        onChange={(e) => set({ [field]: e.currentTarget.value })}
        error={fault(field)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0, 'aria-hidden': undefined }}
      />
      {isSet[field] && (
        <Checkbox
          name={`${field}Cleared`}
          label={t('sipAccount.passwordRemove')}
          checked={values.cleared.includes(field)}
          onChange={(e) =>
            set({
              [field]: '',
              cleared: e.currentTarget.checked
                ? [...values.cleared, field]
                : values.cleared.filter((one) => one !== field),
            })
          }
        />
      )}
    </div>
  );
  return (
    <div className={css.page}>
      <LeaveGuard when={dirty && !saved} />
      <header className={css.head}>
        <h1>{account ? t('sipAccount.editOne', { name: account.name }) : t('sipAccount.add')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, save)} noValidate>
        <div className={css.body}>
          {text('name')}
          {text('number', { mono: true, hint: t('sipAccount.numberHint') })}
          {text('displayName', { hint: t('sipAccount.displayNameHint') })}
          <Select
            name="serverId"
            label={t('sipAccount.server')}
            data={(servers ?? []).map((s) => ({ value: s.id, label: `${s.name} · ${s.address}` }))}
            value={values.serverId === '' ? null : values.serverId}
            onChange={(v) => set({ serverId: v ?? '' })}
            error={fault('serverId')}
            searchable={(servers ?? []).length > 8}
          />
          {servers?.length === 0 && (
            <p className={own.note}>
              {t('sipAccount.noServer')}{' '}
              {access.can('addSipServer') && (
                <Link to="/account/sip/addSipServer" search={{} as never}>
                  {t('sipServer.add')}
                </Link>
              )}
            </p>
          )}
          <Select
            name="siteId"
            label={t('sipAccount.site')}
            data={[
              { value: none, label: t('device.noSite') },
              ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
            ]}
            value={values.siteId}
            onChange={(v) => set({ siteId: v ?? none })}
            allowDeselect={false}
            searchable={sites.length > 8}
          />
          {organizations && organizations.length > 1 && (
            <Select
              name="orgId"
              label={t('device.organization')}
              data={organizations.map((o) => ({ value: o.id, label: o.name }))}
              value={values.orgId}
              onChange={(v) => set({ orgId: v ?? values.orgId })}
              allowDeselect={false}
            />
          )}
          <fieldset className={css.group}>
            <legend>{t('sipAccount.authentication')}</legend>
            {text('authUser', { most: 128, mono: true, hint: t('sipAccount.authUserHint') })}
            {password('authPassword')}
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('sipServer.proxy')}</legend>
            {text('proxyUser', { most: 128, mono: true })}
            {password('proxyPassword')}
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('sipAccount.voicemail')}</legend>
            {text('voicemailNumber', { mono: true })}
            {password('voicemailPassword')}
          </fieldset>
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={css.foot}>
          <Button
            variant="default"
            onClick={() => void navigate({ to: '/account/sip/sipAccount', search: {} as never })}
          >
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(account ? 'common.save' : 'sipAccount.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
