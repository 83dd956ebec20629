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
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { siteNamesQuery } from '../../device/site/site.calls.ts';
import { fcsQuery, type Fcs } from '../fcs/fcs.calls.ts';
import { FcsNote } from '../fcs/fcs-note.tsx';
import { sipServerNamesQuery } from '../sip-server/sip-server.calls.ts';
import {
  addSipAccount,
  addSipAccountRange,
  editSipAccount,
  sipAccountQuery,
  type SipAccount,
} from './sip-account.calls.ts';
import css from '../../../kit/part/form-page.module.css';
import { passwordEye } from '../../../kit/part/password-eye.ts';
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
  return access.ready && <SipAccountForm account={undefined} server={server} isFcs={false} />;
}

/** Adds an account on an FCS server, for companies with FCS (ACC-03). */
export function AddFcsAccountPage() {
  const access = useAccess();
  const fcs = useQuery(fcsQuery()).data;
  if (!access.can('addSipAccount')) return access.ready && <StatusPage code="403" />;
  if (!access.ready || fcs === undefined) return null;
  if (!fcs.enabled || fcs.servers.length === 0 || fcs.used >= fcs.limit) return <NoFcsLeft fcs={fcs} />;
  const [only, more] = fcs.servers;
  return <SipAccountForm account={undefined} server={more ? undefined : only?.id} isFcs />;
}

/** Explains why no account can be added, instead of a form that would be refused. */
function NoFcsLeft({ fcs }: { fcs: Fcs }) {
  const { t } = useText();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('fcs.add')}</h1>
      </header>
      <div className={css.body}>
        <FcsNote fcs={fcs} inForm />
      </div>
      <footer className={css.foot}>
        <Button component={Link} to="/account/sip/sipAccount" search={{ kind: 'fcs' } as never} variant="default">
          {t('fcs.show')}
        </Button>
      </footer>
    </div>
  );
}

export function EditSipAccountPage() {
  const { id = '' } = editing.useSearch();
  const account = useQuery(sipAccountQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editSipAccount')) return <StatusPage code="403" />;
  if (account.isError) return <StatusPage code="404" />;
  return account.data && access.ready ? (
    <SipAccountForm account={account.data} server={undefined} isFcs={account.data.fcs} />
  ) : null;
}

function SipAccountForm({
  account,
  server,
  isFcs,
}: {
  account: SipAccount | undefined;
  server: string | undefined;
  isFcs: boolean;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const seesDevices = useGranted('/device/list');
  const servers = useQuery(sipServerNamesQuery()).data?.filter((s) => s.fcs === isFcs);
  const fcs = useQuery({ ...fcsQuery(), enabled: isFcs }).data;
  const back = { to: '/account/sip/sipAccount', search: (isFcs ? { kind: 'fcs' } : {}) as never } as const;
  const sites = useQuery({ ...siteNamesQuery(), enabled: seesDevices }).data ?? [];
  const { data: organizations } = useOrganizations();
  const [saved, setSaved] = useState(false);
  useClosedWhenLeft(saved);
  const { values, set, fault, submit, refusal, busy, dirty } = useForm({
    name: account?.name ?? '',
    number: account?.number ?? '',
    range: false,
    from: '',
    to: '',
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
    /** Passwords to remove. */
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
      displayName: values.displayName.trim(),
      serverId: values.serverId,
      siteId: values.siteId === none ? null : values.siteId,
      orgId: values.orgId,
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
    const one = { ...body, number: values.number.trim(), authUser: values.authUser.trim() };
    const [from, to] = [values.from.trim(), values.to.trim()];
    if (account) await call(editSipAccount, { body: { id: account.id, ...one } });
    else if (values.range) await call(addSipAccountRange, { body: { ...body, from, to } });
    else await call(addSipAccount, { body: one });
    setSaved(true);
    for (const queryKey of [['sipAccount'], ['sipServer'], ['device']]) await client.invalidateQueries({ queryKey });
    await done(account ? 'saved' : 'added', { name: values.range ? `${from} – ${to}` : body.name });
    await navigate({ ...back, ignoreBlocker: true });
  };
  // The number for the button's label.
  const many =
    /^\d+$/.test(values.from.trim()) && /^\d+$/.test(values.to.trim())
      ? Number(values.to) - Number(values.from) + 1
      : 0;
  const check = () => ({
    ...(values.name.trim() === '' && !values.range ? { name: t('sipAccount.nameMissing') } : {}),
    ...Object.fromEntries(
      (values.range ? (['from', 'to'] as const) : (['number'] as const)).flatMap((field) =>
        values[field].trim() === '' ? [[field, t('sipAccount.numberMissing')]] : [],
      ),
    ),
    ...(values.serverId === '' ? { serverId: t(isFcs ? 'fcs.serverMissing' : 'sipAccount.serverMissing') } : {}),
  });
  const text = (
    field: 'name' | 'number' | 'from' | 'to' | 'displayName' | 'authUser' | 'proxyUser' | 'voicemailNumber',
    { most = 64, mono = false, hint, label }: { most?: number; mono?: boolean; hint?: string; label?: string } = {},
  ) => (
    <TextInput
      name={field}
      label={label ?? t(`sipAccount.${field}`)}
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
        visibilityToggleButtonProps={passwordEye()}
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
        <h1>{account ? t('sipAccount.editOne', { name: account.name }) : t(isFcs ? 'fcs.add' : 'sipAccount.add')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, save)} noValidate>
        <div className={css.body}>
          {isFcs && fcs && <FcsNote fcs={fcs} inForm />}
          {account === undefined && (
            <Checkbox
              name="range"
              label={t('sipAccount.range')}
              description={t('sipAccount.rangeHint')}
              checked={values.range}
              onChange={(e) => set({ range: e.currentTarget.checked })}
            />
          )}
          {values.range
            ? text('name', { most: 48, label: t('sipAccount.rangeName'), hint: t('sipAccount.rangeNameHint') })
            : text('name')}
          {values.range ? (
            <div className={own.range}>
              {text('from', { most: 15, mono: true })}
              {text('to', { most: 15, mono: true })}
            </div>
          ) : (
            text('number', { mono: true, hint: t('sipAccount.numberHint') })
          )}
          {text('displayName', { hint: t('sipAccount.displayNameHint') })}
          <Select
            name="serverId"
            label={t(isFcs ? 'fcs.server' : 'sipAccount.server')}
            data={(servers ?? []).map((s) => ({ value: s.id, label: `${s.name} · ${s.address}` }))}
            value={values.serverId === '' ? null : values.serverId}
            onChange={(v) => set({ serverId: v ?? '' })}
            error={fault('serverId')}
            searchable={(servers ?? []).length > 8}
          />
          {servers?.length === 0 && !isFcs && (
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
            {!values.range && text('authUser', { most: 128, mono: true, hint: t('sipAccount.authUserHint') })}
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
          <Button variant="default" onClick={() => void navigate(back)}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {account
              ? t('common.save')
              : values.range && many > 0
                ? t('sipAccount.rangeAdd', { count: many, number: count(many) })
                : t(isFcs ? 'fcs.add' : 'sipAccount.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
