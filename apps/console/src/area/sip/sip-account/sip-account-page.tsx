import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { done } from '../../../kit/part/done.ts';
import { CheckField, PasswordField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage, PageFrame } from '../../../kit/part/form-page.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess, useGranted, useOrganizations } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { organization, session } from '../../../kit/session/session.ts';
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
    <PageFrame title={t('fcs.add')}>
      <div className={css.body}>
        <FcsNote fcs={fcs} inForm />
      </div>
      <footer className={css.foot}>
        <Button component={Link} to="/account/sip/sipAccount" search={{ kind: 'fcs' } as never} variant="default">
          {t('fcs.show')}
        </Button>
      </footer>
    </PageFrame>
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

/** The values of the form; only a new account has a range of numbers. */
const valuesOf = (account: SipAccount | undefined, server: string | undefined) => ({
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
type Values = ReturnType<typeof valuesOf>;

/** Returns the passwords to store, or null for one to remove. A password that is not typed stays. */
const passwordsOf = (values: Values): Partial<Record<Password, string | null>> =>
  Object.fromEntries(
    passwords.flatMap((password): [string, string | null][] =>
      values.cleared.includes(password)
        ? [[password, null]]
        : values[password] === ''
          ? []
          : [[password, values[password]]],
    ),
  );

/** Stores the account, or adds one or a range. */
async function store(account: SipAccount | undefined, values: Values): Promise<void> {
  const body = {
    name: values.name.trim(),
    displayName: values.displayName.trim(),
    serverId: values.serverId,
    siteId: values.siteId === none ? null : values.siteId,
    orgId: values.orgId,
    proxyUser: values.proxyUser.trim(),
    voicemailNumber: values.voicemailNumber.trim(),
    ...passwordsOf(values),
  };
  const one = { ...body, number: values.number.trim(), authUser: values.authUser.trim() };
  if (account) await call(editSipAccount, { body: { id: account.id, ...one } });
  else if (values.range)
    await call(addSipAccountRange, { body: { ...body, from: values.from.trim(), to: values.to.trim() } });
  else await call(addSipAccount, { body: one });
}

/** Returns how many accounts the range has, or 0 if it is not complete. */
const rangeSize = ({ from, to }: Values): number =>
  /^\d+$/.test(from.trim()) && /^\d+$/.test(to.trim()) ? Number(to) - Number(from) + 1 : 0;

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
  const fcs = useQuery({ ...fcsQuery(), enabled: isFcs }).data;
  const back = { to: '/account/sip/sipAccount', search: (isFcs ? { kind: 'fcs' } : {}) as never } as const;
  const [saved, setSaved] = useState(false);
  const form = useForm(valuesOf(account, server));
  const { values } = form;
  const save = async () => {
    await store(account, values);
    setSaved(true);
    for (const queryKey of [['sipAccount'], ['sipServer'], ['device']]) await client.invalidateQueries({ queryKey });
    const range = `${values.from.trim()} – ${values.to.trim()}`;
    await done(account ? 'saved' : 'added', { name: values.range ? range : values.name.trim() });
    await navigate({ ...back, ignoreBlocker: true });
  };
  const check = () => ({
    ...(values.name.trim() === '' && !values.range ? { name: t('sipAccount.nameMissing') } : {}),
    ...Object.fromEntries(
      (values.range ? (['from', 'to'] as const) : (['number'] as const)).flatMap((field) =>
        values[field].trim() === '' ? [[field, t('sipAccount.numberMissing')]] : [],
      ),
    ),
    ...(values.serverId === '' ? { serverId: t(isFcs ? 'fcs.serverMissing' : 'sipAccount.serverMissing') } : {}),
  });
  const size = values.range ? rangeSize(values) : 0;
  const add = size > 0 ? t('sipAccount.rangeAdd', { count: size, number: count(size) }) : undefined;
  return (
    <FormPage
      title={account ? t('sipAccount.editOne', { name: account.name }) : t(isFcs ? 'fcs.add' : 'sipAccount.add')}
      form={form}
      saved={saved}
      confirm={account ? t('common.save') : (add ?? t(isFcs ? 'fcs.add' : 'sipAccount.add'))}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate(back)}
    >
      {isFcs && fcs && <FcsNote fcs={fcs} inForm />}
      {account === undefined && (
        <CheckField form={form} name="range" label={t('sipAccount.range')} description={t('sipAccount.rangeHint')} />
      )}
      <NumberFields form={form} />
      <PlaceFields form={form} isFcs={isFcs} />
      <FormGroup title={t('sipAccount.authentication')}>
        {!values.range && (
          <TextField
            form={form}
            name="authUser"
            label={t('sipAccount.authUser')}
            description={t('sipAccount.authUserHint')}
            maxLength={128}
            code
          />
        )}
        <StoredPassword form={form} name="authPassword" isSet={account?.authPasswordSet} />
      </FormGroup>
      <FormGroup title={t('sipServer.proxy')}>
        <TextField form={form} name="proxyUser" label={t('sipAccount.proxyUser')} maxLength={128} code />
        <StoredPassword form={form} name="proxyPassword" isSet={account?.proxyPasswordSet} />
      </FormGroup>
      <FormGroup title={t('sipAccount.voicemail')}>
        <TextField form={form} name="voicemailNumber" label={t('sipAccount.voicemailNumber')} maxLength={64} code />
        <StoredPassword form={form} name="voicemailPassword" isSet={account?.voicemailPasswordSet} />
      </FormGroup>
    </FormPage>
  );
}

/** Name and number of one account, or of a range. */
function NumberFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  const { range } = form.values;
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={t(range ? 'sipAccount.rangeName' : 'sipAccount.name')}
        {...(range ? { description: t('sipAccount.rangeNameHint') } : {})}
        maxLength={range ? 48 : 64}
        autoFocus
      />
      {range ? (
        <div className={own.range}>
          <TextField form={form} name="from" label={t('sipAccount.from')} maxLength={15} code />
          <TextField form={form} name="to" label={t('sipAccount.to')} maxLength={15} code />
        </div>
      ) : (
        <TextField
          form={form}
          name="number"
          label={t('sipAccount.number')}
          description={t('sipAccount.numberHint')}
          maxLength={64}
          code
        />
      )}
      <TextField
        form={form}
        name="displayName"
        label={t('sipAccount.displayName')}
        description={t('sipAccount.displayNameHint')}
        maxLength={64}
      />
    </>
  );
}

/** Server, site and organization. */
function PlaceFields({ form, isFcs }: { form: Form<Values>; isFcs: boolean }) {
  const { t } = useText();
  const access = useAccess();
  const seesDevices = useGranted('/device/list');
  const servers = useQuery(sipServerNamesQuery()).data?.filter((s) => s.fcs === isFcs);
  const sites = useQuery({ ...siteNamesQuery(), enabled: seesDevices }).data ?? [];
  const { data: organizations } = useOrganizations();
  return (
    <>
      <SelectField
        form={form}
        name="serverId"
        label={t(isFcs ? 'fcs.server' : 'sipAccount.server')}
        data={(servers ?? []).map((s) => ({ value: s.id, label: `${s.name} · ${s.address}` }))}
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
      <SelectField
        form={form}
        name="siteId"
        label={t('sipAccount.site')}
        data={[
          { value: none, label: t('device.noSite') },
          ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
        ]}
      />
      {organizations && organizations.length > 1 && (
        <SelectField
          form={form}
          name="orgId"
          label={t('device.organization')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
        />
      )}
    </>
  );
}

/** A password that is stored but never shown: an empty field keeps it, and a check box removes it. */
function StoredPassword({
  form,
  name,
  isSet = false,
}: {
  form: Form<Values>;
  name: Password;
  isSet: boolean | undefined;
}) {
  const { t } = useText();
  const { cleared } = form.values;
  return (
    <div className={own.password}>
      <PasswordField
        form={form}
        name={name}
        label={t(`sipAccount.${name}`)}
        {...(isSet ? { description: t('sipAccount.passwordKept') } : {})}
        maxLength={128}
        disabled={cleared.includes(name)}
      />
      {isSet && (
        <Checkbox
          name={`${name}Cleared`}
          label={t('sipAccount.passwordRemove')}
          checked={cleared.includes(name)}
          onChange={(e) =>
            form.set({
              [name]: '',
              cleared: e.currentTarget.checked ? [...cleared, name] : cleared.filter((one) => one !== name),
            })
          }
        />
      )}
    </div>
  );
}
