import { useState } from 'react';
import { Button, Checkbox, NumberInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ldapCycles, ldapFields, ldapSecurities, sameDirectory, type LdapField } from '@carillon/contracts/ldap';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { done } from '../../../kit/part/done.ts';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addLdapServer,
  editLdapServer,
  ldapServerQuery,
  testLdapServer,
  type LdapEntry,
  type LdapServer,
} from './ldap-server.calls.ts';
import css from '../../../kit/part/form-page.module.css';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import own from '../sip-form.module.css';
import test from './ldap-server-page.module.css';

const route = getRouteApi('/_main/account/ldap/editServer');

export function AddLdapServerPage() {
  const access = useAccess();
  if (!access.can('addLdapServer')) return access.ready && <StatusPage code="403" />;
  return <LdapServerForm server={undefined} />;
}

export function EditLdapServerPage() {
  const { id = '' } = route.useSearch();
  const server = useQuery(ldapServerQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editLdapServer')) return <StatusPage code="403" />;
  if (server.isError) return <StatusPage code="404" />;
  return server.data && access.ready ? <LdapServerForm server={server.data} /> : null;
}

const portOf = (security: string): number => (security === 'ldaps' ? 636 : 389);
/** The attribute names of Microsoft's directories, which are the most common. */
const usual: Readonly<Record<LdapField, string>> = {
  name: 'cn',
  number: 'telephoneNumber',
  mailbox: 'mail',
  department: 'department',
  supervisor: 'manager',
  adAccount: 'sAMAccountName',
};
type Attribute = `attributes.${LdapField}`;
const attributeKeys = ldapFields.map((field): [LdapField, Attribute] => [field, `attributes.${field}`]);

function LdapServerForm({ server }: { server: LdapServer | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const [saved, setSaved] = useState(false);
  const [tested, setTested] = useState<{ entries: readonly LdapEntry[] } | Refusal>();
  const [testing, setTesting] = useState(false);
  const [search, setSearch] = useState('');
  useClosedWhenLeft(saved);
  const form = useForm({
    name: server?.name ?? '',
    enabled: server?.enabled ?? true,
    host: server?.host ?? '',
    security: server?.security ?? ('ldaps' as LdapServer['security']),
    port: (server?.port ?? 636) as number | '',
    checkCertificate: server?.checkCertificate ?? true,
    ca: server?.ca ?? '',
    userName: server?.userName ?? '',
    password: '',
    base: server?.base ?? '',
    filter: server?.filter ?? '(objectClass=person)',
    ...(Object.fromEntries(
      attributeKeys.map(([field, key]) => [key, server?.attributes[field] ?? usual[field]]),
    ) as Record<Attribute, string>),
    cycle: server?.cycle ?? ('day' as LdapServer['cycle']),
    time: server?.time ?? '02:00',
    weekday: String(server?.weekday ?? 1),
    timeZone: server?.timeZone ?? ownZone(),
  });
  const { values, fault, refusal, busy, dirty } = form;
  const set: typeof form.set = (change) => {
    form.set(change);
    setTested(undefined);
  };
  const place = () => ({
    host: values.host.trim().toLowerCase(),
    port: Number(values.port),
    security: values.security,
    checkCertificate: values.checkCertificate,
    ca: values.ca.trim() === '' ? null : values.ca.trim(),
  });
  // The stored password is sent only to the stored server.
  const again = server !== undefined && !(server.passwordSet && sameDirectory(server, place()));
  const asked = () => ({
    ...place(),
    userName: values.userName.trim(),
    ...(values.password === '' ? {} : { password: values.password }),
    base: values.base.trim(),
    filter: values.filter.trim(),
    attributes: Object.fromEntries(attributeKeys.map(([field, key]) => [field, values[key].trim()])) as Record<
      LdapField,
      string
    >,
  });
  const save = async () => {
    const body = {
      ...asked(),
      name: values.name.trim(),
      enabled: values.enabled,
      cycle: values.cycle,
      time: values.time,
      weekday: Number(values.weekday),
      timeZone: values.timeZone,
    };
    await (server ? call(editLdapServer, { body: { id: server.id, ...body } }) : call(addLdapServer, { body }));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['ldapServer'] });
    await done(server ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/account/ldap/ldapServer', search: {} as never, ignoreBlocker: true });
  };
  const empty = (field: 'host' | 'userName' | 'base' | Attribute) =>
    values[field].trim() === '' ? { [field]: t('ldapServer.missingField') } : {};
  const checkPlace = () => ({
    ...empty('host'),
    ...(values.port === '' ? { port: t('ldapServer.portMissing') } : {}),
    ...empty('userName'),
    ...(values.password === '' && (server === undefined || again) ? { password: t('ldapServer.passwordMissing') } : {}),
    ...empty('base'),
    ...empty('attributes.name'),
    ...empty('attributes.number'),
  });
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('ldapServer.missingField') } : {}),
    ...checkPlace(),
    ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(values.time) ? {} : { time: t('ldapServer.timeWrong') }),
  });
  const runTest = async () => {
    setTested(undefined);
    setTesting(true);
    try {
      setTested(
        await call(testLdapServer, {
          body: { ...(server ? { id: server.id } : {}), ...asked(), search: search.trim() },
        }),
      );
    } catch (e) {
      setTested(refusalOf(e));
    }
    setTesting(false);
  };
  const text = (
    field: 'name' | 'host' | 'userName' | 'base' | 'filter' | Attribute,
    label: string,
    { hint, most = 255, mono = true }: { hint?: string; most?: number; mono?: boolean } = {},
  ) => (
    <TextInput
      key={field}
      name={field}
      label={label}
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
  const days = Array.from({ length: 7 }, (_, at) => ({
    value: String(at + 1),
    label: new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, at + 1),
    ),
  }));
  return (
    <div className={css.page}>
      <LeaveGuard when={dirty && !saved} />
      <header className={css.head}>
        <h1>{server ? t('ldapServer.editOne', { name: server.name }) : t('ldapServer.add')}</h1>
      </header>
      <form
        className={css.form}
        onSubmit={(e) => {
          const by = (e.nativeEvent as unknown as { submitter: HTMLButtonElement | null }).submitter;
          return by?.name === 'test' ? form.submit(checkPlace, runTest)(e) : form.submit(check, save)(e);
        }}
        noValidate
      >
        <div className={css.body}>
          {text('name', t('ldapServer.name'), { most: 64, mono: false })}
          <Checkbox
            name="enabled"
            label={t('ldapServer.enabled')}
            description={t('ldapServer.enabledHint')}
            checked={values.enabled}
            onChange={(e) => set({ enabled: e.currentTarget.checked })}
          />
          <fieldset className={css.group}>
            <legend>{t('ldapServer.connection')}</legend>
            <Select
              name="security"
              label={t('ldapServer.security')}
              {...(values.security === 'none' ? { description: t('ldapServer.securityNoneHint') } : {})}
              data={ldapSecurities.map((value) => ({ value, label: t(`ldapServer.security.${value}`) }))}
              value={values.security}
              onChange={(v) => {
                const security = (v ?? 'ldaps') as LdapServer['security'];
                // A port that the user chose stays.
                set({ security, ...(values.port === portOf(values.security) ? { port: portOf(security) } : {}) });
              }}
              allowDeselect={false}
            />
            <div className={own.place}>
              {text('host', t('ldapServer.host'), { hint: t('ldapServer.hostHint'), most: 253 })}
              <NumberInput
                name="port"
                label={t('ldapServer.port')}
                min={1}
                max={65_535}
                allowDecimal={false}
                allowNegative={false}
                hideControls
                value={values.port}
                onChange={(value) => set({ port: value === '' ? '' : Number(value) })}
                error={fault('port')}
              />
            </div>
            {values.security !== 'none' && (
              <>
                <Checkbox
                  name="checkCertificate"
                  label={t('ldapServer.checkCertificate')}
                  description={t('ldapServer.checkCertificateHint')}
                  checked={values.checkCertificate}
                  onChange={(e) => set({ checkCertificate: e.currentTarget.checked })}
                />
                <Textarea
                  name="ca"
                  label={t('ldapServer.ca')}
                  description={t('ldapServer.caHint')}
                  maxLength={16_384}
                  autosize
                  minRows={2}
                  maxRows={6}
                  value={values.ca}
                  onChange={(e) => set({ ca: e.currentTarget.value })}
                  error={fault('ca')}
                  spellCheck={false}
                  classNames={{ input: 'mono' }}
                />
              </>
            )}
            {text('userName', t('ldapServer.userName'), { hint: t('ldapServer.userNameHint') })}
            <PasswordInput
              name="password"
              label={t('ldapServer.password')}
              {...(server ? { description: t(again ? 'ldapServer.passwordAgain' : 'ldapServer.passwordKept') } : {})}
              maxLength={255}
              value={values.password}
              onChange={(e) => set({ password: e.currentTarget.value })}
              error={fault('password')}
              autoComplete="new-password"
              visibilityToggleButtonProps={passwordEye()}
            />
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('ldapServer.entries')}</legend>
            {text('base', t('ldapServer.base'), { hint: t('ldapServer.baseHint'), most: 1_024 })}
            {text('filter', t('ldapServer.filter'), { most: 1_024 })}
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('ldapServer.attributes')}</legend>
            <p className={own.note}>{t('ldapServer.attributesHint')}</p>
            <div className={test.pairs}>
              {attributeKeys.map(([field, key]) => text(key, t(`ldapAccount.${field}`), { most: 128 }))}
            </div>
          </fieldset>
          {access.can('editLdapServer') && (
            <fieldset className={`${css.group} ${test.test}`}>
              <legend>{t('ldapServer.test')}</legend>
              <div className={test.ask}>
                <TextInput
                  name="search"
                  label={t('ldapServer.testSearch')}
                  maxLength={128}
                  value={search}
                  onChange={(e) => setSearch(e.currentTarget.value)}
                  autoComplete="off"
                />
                <Button type="submit" name="test" variant="default" loading={testing}>
                  {t('ldapServer.testButton')}
                </Button>
              </div>
              {tested && ('entries' in tested ? <Entries entries={tested.entries} /> : <RefusalBox refusal={tested} />)}
            </fieldset>
          )}
          <fieldset className={css.group}>
            <legend>{t('ldapServer.schedule')}</legend>
            <Select
              name="cycle"
              label={t('ldapServer.cycle')}
              data={ldapCycles.map((value) => ({ value, label: t(`ldapServer.cycle.${value}`) }))}
              value={values.cycle}
              onChange={(v) => set({ cycle: (v ?? 'off') as LdapServer['cycle'] })}
              allowDeselect={false}
            />
            {values.cycle === 'week' && (
              <Select
                name="weekday"
                label={t('ldapServer.weekday')}
                data={days}
                value={values.weekday}
                onChange={(v) => set({ weekday: v ?? '1' })}
                allowDeselect={false}
              />
            )}
            {values.cycle !== 'off' && (
              <TextInput
                name="time"
                maxLength={5}
                label={t('ldapServer.time')}
                description={
                  values.cycle === 'hour'
                    ? t('ldapServer.timeHourHint')
                    : t('ldapServer.timeHint', { zone: values.timeZone })
                }
                value={values.time}
                onChange={(e) => set({ time: e.currentTarget.value })}
                error={fault('time')}
                autoComplete="off"
                classNames={{ input: 'mono' }}
              />
            )}
          </fieldset>
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={css.foot}>
          <Button
            variant="default"
            onClick={() => void navigate({ to: '/account/ldap/ldapServer', search: {} as never })}
          >
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy && !testing}>
            {t(server ? 'common.save' : 'ldapServer.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}

/** Shows entries as they would be read, so that wrong attributes are noticed. */
function Entries({ entries }: { entries: readonly LdapEntry[] }) {
  const { t } = useText();
  if (entries.length === 0) return <p role="status">{t('ldapServer.testNone')}</p>;
  return (
    <>
      <p role="status">{t('ldapServer.testFound', { count: entries.length })}</p>
      {/* Wider than a phone, so keyboard users must be able to scroll it, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={test.scroll} tabIndex={0} role="region" aria-label={t('ldapServer.test')}>
        <table>
          <thead>
            <tr>
              {ldapFields.map((field) => (
                <th key={field} scope="col">
                  {t(`ldapAccount.${field}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.dn} title={entry.dn}>
                {ldapFields.map((field) => (
                  <td key={field}>{entry[field] === '' ? '–' : entry[field]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
