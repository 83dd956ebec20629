import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ldapCycles, ldapFields, ldapSecurities, sameDirectory, type LdapField } from '@carillon/contracts/ldap';
import { done } from '../../../kit/part/done.ts';
import {
  AreaField,
  CheckField,
  NumberField,
  PasswordField,
  SelectField,
  TextField,
} from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
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
import own from '../sip-form.module.css';
import css from './ldap-server-page.module.css';

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

const valuesOf = (server: LdapServer | undefined) => ({
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
type Values = ReturnType<typeof valuesOf>;

/** Returns where the directory is, and how it is reached. */
const placeOf = (values: Values) => ({
  host: values.host.trim().toLowerCase(),
  port: Number(values.port),
  security: values.security,
  checkCertificate: values.checkCertificate,
  ca: values.ca.trim() === '' ? null : values.ca.trim(),
});

/** Returns the directory, and what is read there. */
const directoryOf = (values: Values) => ({
  ...placeOf(values),
  userName: values.userName.trim(),
  ...(values.password === '' ? {} : { password: values.password }),
  base: values.base.trim(),
  filter: values.filter.trim(),
  attributes: Object.fromEntries(attributeKeys.map(([field, key]) => [field, values[key].trim()])) as Record<
    LdapField,
    string
  >,
});

const bodyOf = (values: Values) => ({
  ...directoryOf(values),
  name: values.name.trim(),
  enabled: values.enabled,
  cycle: values.cycle,
  time: values.time,
  weekday: Number(values.weekday),
  timeZone: values.timeZone,
});

/** Returns whether the password has to be typed: the stored one is sent only to the stored server. */
const needsPassword = (server: LdapServer | undefined, values: Values): boolean =>
  server === undefined || !(server.passwordSet && sameDirectory(server, placeOf(values)));

/** Returns the checks of a test, and of saving. */
function useChecks(server: LdapServer | undefined, values: Values) {
  const { t } = useText();
  const empty = (field: 'name' | 'host' | 'userName' | 'base' | Attribute) =>
    values[field].trim() === '' ? { [field]: t('ldapServer.missingField') } : {};
  const checkDirectory = () => ({
    ...empty('host'),
    ...(values.port === '' ? { port: t('ldapServer.portMissing') } : {}),
    ...empty('userName'),
    ...(values.password === '' && needsPassword(server, values) ? { password: t('ldapServer.passwordMissing') } : {}),
    ...empty('base'),
    ...empty('attributes.name'),
    ...empty('attributes.number'),
  });
  const check = () => ({
    ...empty('name'),
    ...checkDirectory(),
    ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(values.time) ? {} : { time: t('ldapServer.timeWrong') }),
  });
  return { checkDirectory, check };
}

function LdapServerForm({ server }: { server: LdapServer | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const [saved, setSaved] = useState(false);
  const [entries, setEntries] = useState<readonly LdapEntry[]>();
  const test = useAction();
  const [search, setSearch] = useState('');
  const state = useForm(valuesOf(server));
  const { values } = state;
  const set: typeof state.set = (change) => {
    state.set(change);
    setEntries(undefined);
    test.clear();
  };
  const form = { ...state, set };
  const { checkDirectory, check } = useChecks(server, values);
  const save = async () => {
    const body = bodyOf(values);
    await (server ? call(editLdapServer, { body: { id: server.id, ...body } }) : call(addLdapServer, { body }));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['ldapServer'] });
    await done(server ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/account/ldap/ldapServer', search: {} as never, ignoreBlocker: true });
  };
  const runTest = () => {
    setEntries(undefined);
    return test.run(async () => {
      const body = { ...(server ? { id: server.id } : {}), ...directoryOf(values), search: search.trim() };
      setEntries((await call(testLdapServer, { body })).entries);
    });
  };
  return (
    <FormPage
      title={server ? t('ldapServer.editOne', { name: server.name }) : t('ldapServer.add')}
      form={form}
      saved={saved}
      busy={form.busy && !test.busy}
      confirm={t(server ? 'common.save' : 'ldapServer.add')}
      onSubmit={(e) => {
        const by = (e.nativeEvent as unknown as { submitter: HTMLButtonElement | null }).submitter;
        return by?.name === 'test' ? form.submit(checkDirectory, runTest)(e) : form.submit(check, save)(e);
      }}
      onCancel={() => void navigate({ to: '/account/ldap/ldapServer', search: {} as never })}
    >
      <TextField form={form} name="name" label={t('ldapServer.name')} maxLength={64} autoFocus />
      <CheckField
        form={form}
        name="enabled"
        label={t('ldapServer.enabled')}
        description={t('ldapServer.enabledHint')}
      />
      <ConnectionFields form={form} server={server} />
      <EntryFields form={form} />
      {access.can('editLdapServer') && (
        <FormGroup title={t('ldapServer.test')} className={css.test!}>
          <div className={css.ask}>
            <TextInput
              name="search"
              label={t('ldapServer.testSearch')}
              maxLength={128}
              value={search}
              onChange={(e) => setSearch(e.currentTarget.value)}
              autoComplete="off"
            />
            <Button type="submit" name="test" variant="default" loading={test.busy}>
              {t('ldapServer.testButton')}
            </Button>
          </div>
          {entries && <Entries entries={entries} />}
          <RefusalBox refusal={test.refusal} />
        </FormGroup>
      )}
      <ScheduleFields form={form} />
    </FormPage>
  );
}

function ConnectionFields({ form, server }: { form: Form<Values>; server: LdapServer | undefined }) {
  const { t } = useText();
  const { values } = form;
  const again = needsPassword(server, values);
  return (
    <FormGroup title={t('ldapServer.connection')}>
      <SelectField
        form={form}
        name="security"
        label={t('ldapServer.security')}
        {...(values.security === 'none' ? { description: t('ldapServer.securityNoneHint') } : {})}
        data={ldapSecurities.map((value) => ({ value, label: t(`ldapServer.security.${value}`) }))}
        // A port that the user chose stays.
        also={(security) => (values.port === portOf(values.security) ? { port: portOf(security) } : {})}
      />
      <div className={own.place}>
        <TextField
          form={form}
          name="host"
          label={t('ldapServer.host')}
          description={t('ldapServer.hostHint')}
          maxLength={253}
          code
        />
        <NumberField
          form={form}
          name="port"
          label={t('ldapServer.port')}
          min={1}
          max={65_535}
          allowNegative={false}
          hideControls
        />
      </div>
      {values.security !== 'none' && (
        <>
          <CheckField
            form={form}
            name="checkCertificate"
            label={t('ldapServer.checkCertificate')}
            description={t('ldapServer.checkCertificateHint')}
          />
          <AreaField
            form={form}
            name="ca"
            label={t('ldapServer.ca')}
            description={t('ldapServer.caHint')}
            maxLength={16_384}
            maxRows={6}
            code
          />
        </>
      )}
      <TextField
        form={form}
        name="userName"
        label={t('ldapServer.userName')}
        description={t('ldapServer.userNameHint')}
        maxLength={255}
        code
      />
      <PasswordField
        form={form}
        name="password"
        label={t('ldapServer.password')}
        {...(server ? { description: t(again ? 'ldapServer.passwordAgain' : 'ldapServer.passwordKept') } : {})}
        maxLength={255}
      />
    </FormGroup>
  );
}

/** Which entries are read, and which of their attributes. */
function EntryFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  return (
    <>
      <FormGroup title={t('ldapServer.entries')}>
        <TextField
          form={form}
          name="base"
          label={t('ldapServer.base')}
          description={t('ldapServer.baseHint')}
          maxLength={1_024}
          code
        />
        <TextField form={form} name="filter" label={t('ldapServer.filter')} maxLength={1_024} code />
      </FormGroup>
      <FormGroup title={t('ldapServer.attributes')}>
        <p className={own.note}>{t('ldapServer.attributesHint')}</p>
        <div className={css.pairs}>
          {attributeKeys.map(([field, key]) => (
            <TextField key={key} form={form} name={key} label={t(`ldapAccount.${field}`)} maxLength={128} code />
          ))}
        </div>
      </FormGroup>
    </>
  );
}

/** When the directory is read. */
function ScheduleFields({ form }: { form: Form<Values> }) {
  const { t } = useText();
  const { cycle, timeZone } = form.values;
  const days = Array.from({ length: 7 }, (_, at) => ({
    value: String(at + 1),
    label: new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, at + 1),
    ),
  }));
  return (
    <FormGroup title={t('ldapServer.schedule')}>
      <SelectField
        form={form}
        name="cycle"
        label={t('ldapServer.cycle')}
        data={ldapCycles.map((value) => ({ value, label: t(`ldapServer.cycle.${value}`) }))}
      />
      {cycle === 'week' && <SelectField form={form} name="weekday" label={t('ldapServer.weekday')} data={days} />}
      {cycle !== 'off' && (
        <TextField
          form={form}
          name="time"
          maxLength={5}
          label={t('ldapServer.time')}
          description={cycle === 'hour' ? t('ldapServer.timeHourHint') : t('ldapServer.timeHint', { zone: timeZone })}
          code
        />
      )}
    </FormGroup>
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
      <div className={css.scroll} tabIndex={0} role="region" aria-label={t('ldapServer.test')}>
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
