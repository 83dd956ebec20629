import { useMemo, useState, type ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usersAtOnce } from '@carillon/contracts/constants';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { AreaField } from '../../../kit/part/form-field.tsx';
import { FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { noCountry } from '../../../kit/text/country.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { zoneOfBrowser } from '../../../kit/text/zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { ActivationField } from './activation-field.tsx';
import { readAddresses, type NewPerson } from './address-list.ts';
import { newFirstPassword } from './first-password.tsx';
import { MadeUsers, MadeUsersPage, type MadeUser } from './made-users.tsx';
import { AgeField, alikeBody, PlaceFields, RightFields, type Alike } from './user-fields.tsx';
import own from './several-users.module.css';

await systemTexts();

const addUsers = remote('addUsers', 'POST /api/f/auth/user/many');

/** Adds several users from pasted addresses, who differ only in their names; errors are shown at each. */
export function SeveralUsers({
  mailReady,
  modes,
  onAgain,
}: {
  mailReady: boolean;
  modes: ReactNode;
  onAgain: () => void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useForm<Alike & { addresses: string; activation: 'email' | 'password'; oldEnough: boolean }>({
    addresses: '',
    accountType: 'ordinary',
    roleIds: [],
    allOrgs: false,
    orgIds: [],
    language: '',
    timezoneId: zoneOfBrowser,
    countryId: noCountry,
    activation: mailReady ? 'email' : 'password',
    oldEnough: false,
  });
  const { values, set, fault } = form;
  /** Changes to a person after parsing, by address. */
  const [edited, setEdited] = useState<Readonly<Record<string, Partial<NewPerson>>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const [done, setDone] = useState(false);
  const read = useMemo(() => readAddresses(values.addresses), [values.addresses]);
  const people = read.map((p) => ({ ...p, ...edited[p.email] }));
  useClosedWhenLeft(done);
  const check = () => ({
    ...(people.length === 0 ? { addresses: t('severalUsers.missing') } : {}),
    ...(people.length > usersAtOnce ? { addresses: t('severalUsers.tooMany', { most: usersAtOnce }) } : {}),
    ...(values.roleIds.length === 0 ? { roleIds: t('user.rolesMissing') } : {}),
    ...(!values.allOrgs && values.orgIds.length === 0 ? { orgIds: t('user.organizationsMissing') } : {}),
    ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
  });
  async function save() {
    const users = people.map((p) => ({
      ...p,
      ...(values.activation === 'password' ? { password: newFirstPassword() } : {}),
    }));
    const { rows } = await call(addUsers, {
      body: { ...alikeBody(values), activation: values.activation, oldEnough: values.oldEnough, users },
    });
    await client.invalidateQueries({ queryKey: ['user'] });
    const added = rows.flatMap(({ user }, n) =>
      user ? [{ id: user.id, username: user.username, email: user.email, password: users[n]!.password ?? '' }] : [],
    );
    const refused = people.filter((_, n) => rows[n]!.user === null);
    setMade([...made, ...added]);
    setFaults(Object.fromEntries(people.flatMap((p, n) => (rows[n]!.msg === null ? [] : [[p.email, rows[n]!.msg!]]))));
    // Refused rows stay with their values for correction.
    set({ addresses: refused.map((p) => p.email).join('\n'), oldEnough: refused.length > 0 });
    setEdited(Object.fromEntries(refused.map((p) => [p.email, p])));
    setDone(refused.length === 0);
  }
  const change = (email: string, part: Partial<NewPerson>) => {
    setEdited((all) => ({ ...all, [email]: { ...all[email], ...part } }));
    setFaults(({ [email]: _, ...others }) => others);
  };
  if (done) return <MadeUsersPage users={made} onAgain={onAgain} />;
  return (
    <FormPage
      title={t('severalUsers.title')}
      form={form}
      saved={false}
      unsaved={people.length > 0}
      confirm={people.length === 0 ? t('severalUsers.title') : t('severalUsers.add', { count: people.length })}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/system/users', search: {} as never })}
    >
      {made.length > 0 && (
        <section className={own.kept} role="status">
          <strong>{t('severalUsers.added', { count: made.length })}</strong>
          <MadeUsers users={made} />
        </section>
      )}
      {modes}
      <AreaField
        form={form}
        name="addresses"
        label={t('severalUsers.addresses')}
        description={t('severalUsers.hint', { most: usersAtOnce })}
        minRows={4}
        maxRows={10}
        spellCheck={false}
        autoFocus
      />
      {people.length > 0 && <People people={people} faults={faults} onChange={change} />}
      <RightFields values={values} set={set} fault={fault} boxes />
      <ActivationField value={values.activation} mailReady={mailReady} onChange={(activation) => set({ activation })} />
      <PlaceFields values={values} set={set} />
      <AgeField text="severalUsers.oldEnough" values={values} set={set} error={fault('oldEnough')} />
    </FormPage>
  );
}

/** The people that were read from the text, with their names to correct and the errors of the server. */
function People({
  people,
  faults,
  onChange,
}: {
  people: readonly NewPerson[];
  /** By address. */
  faults: Readonly<Record<string, string>>;
  onChange: (email: string, part: Partial<NewPerson>) => void;
}) {
  const { t } = useText();
  return (
    <ul className={own.rows} aria-label={t('severalUsers.people')}>
      <li className={own.titles} aria-hidden>
        <span>{t('user.email')}</span>
        <span>{t('user.nickname')}</span>
        <span>{t('user.username')}</span>
      </li>
      {/* Larger lists are refused as a whole, so a table that was pasted by mistake is not rendered. */}
      {people.slice(0, usersAtOnce).map((p) => (
        <li key={p.email}>
          <span>{p.email}</span>
          <TextInput
            aria-label={t('severalUsers.nicknameOf', { email: p.email })}
            placeholder={t('user.nickname')}
            maxLength={64}
            value={p.nickname}
            onChange={(e) => onChange(p.email, { nickname: e.currentTarget.value })}
            autoComplete="off"
          />
          <TextInput
            aria-label={t('severalUsers.usernameOf', { email: p.email })}
            placeholder={t('user.username')}
            maxLength={64}
            value={p.username}
            onChange={(e) => onChange(p.email, { username: e.currentTarget.value })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          {faults[p.email] !== undefined && (
            <p className={own.fault} role="alert">
              <FieldError text={faults[p.email]!} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
