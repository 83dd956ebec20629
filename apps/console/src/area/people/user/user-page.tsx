import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { done } from '../../../kit/part/done.ts';
import type { UserRecord } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { Facts } from '../../../kit/part/facts.tsx';
import { TextField } from '../../../kit/part/form-field.tsx';
import { FormPage } from '../../../kit/part/form-page.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useMailReady } from '../../../kit/api/mail-ready.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { noCountry } from '../../../kit/text/country.ts';
import { moment } from '../../../kit/text/time.ts';
import { zoneOfBrowser } from '../../../kit/text/zone.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { withEmail } from './address-list.ts';
import { LastMail } from '../mail/last-mail.tsx';
import { FirstAccess } from './first-access.tsx';
import { newFirstPassword } from './first-password.tsx';
import { MadeUsers, MadeUsersPage, type MadeUser } from './made-users.tsx';
import { SeveralUsers } from './several-users.tsx';
import { AgeField, alikeBody, PlaceFields, RightFields } from './user-fields.tsx';
import { UserState } from './user-state.tsx';
import { addUser, editUser, userQuery } from './user.calls.ts';
import several from './several-users.module.css';

await systemTexts();

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
  const { t } = useText();
  const access = useAccess();
  const mailReady = useMailReady();
  const [mode, setMode] = useState<'one' | 'several'>('one');
  const [round, setRound] = useState(0);
  const again = () => setRound((n) => n + 1);
  if (!access.can('addUser')) return access.ready && <StatusPage code="403" />;
  if (mailReady === undefined) return null;
  const modes = (
    <div>
      <SegmentedControl
        aria-label={t('severalUsers.mode')}
        data={(['one', 'several'] as const).map((value) => ({ value, label: t(`severalUsers.${value}`) }))}
        value={mode}
        onChange={(v) => setMode(v as 'one')}
      />
    </div>
  );
  return mode === 'one' ? (
    <UserForm key={round} mailReady={mailReady} modes={modes} onAgain={again} />
  ) : (
    <SeveralUsers key={round} mailReady={mailReady} modes={modes} onAgain={again} />
  );
}

const valuesOf = (user: UserRecord | undefined, mailReady: boolean) => ({
  username: user?.username ?? '',
  nickname: user?.nickname ?? '',
  email: user?.email ?? '',
  accountType: user?.accountType ?? 'ordinary',
  roleIds: user?.roles.map((r) => r.id) ?? [],
  allOrgs: user?.allOrgs ?? false,
  orgIds: user?.orgs.map((o) => o.id) ?? [],
  language: (user?.language ?? '') as string,
  timezoneId: user?.zoneChosen ? String(user.timezoneId) : zoneOfBrowser,
  countryId: String(user?.countryId ?? noCountry),
  erpId: user?.erpId ?? '',
  activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
  password: mailReady ? '' : newFirstPassword(),
  oldEnough: false,
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = (values: Values) => ({
  username: values.username.trim(),
  nickname: values.nickname.trim(),
  email: values.email.trim() === '' ? null : values.email.trim(),
  ...alikeBody(values),
  erpId: values.erpId.trim() === '' ? null : values.erpId.trim(),
});

/** Returns the check of a user, and of a new user's account. */
function useCheck(values: Values, isNew: boolean) {
  const { t } = useText();
  const checkAccount = () => ({
    ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
    ...(values.activation === 'password' && missingParts(values.password, [values.username, values.email]).length > 0
      ? { password: t('password.rule') }
      : {}),
    ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
  });
  return () => ({
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(values.roleIds.length === 0 ? { roleIds: t('user.rolesMissing') } : {}),
    ...(!values.allOrgs && values.orgIds.length === 0 ? { orgIds: t('user.organizationsMissing') } : {}),
    ...(isNew ? checkAccount() : {}),
  });
}

/** Adds or edits a user: name, permissions, organizations (USER-01). */
function UserForm({
  user,
  mailReady = true,
  modes,
  onAgain = () => {},
}: {
  user?: UserRecord;
  mailReady?: boolean;
  modes?: ReactNode;
  /** Starts again without the users that were added. */
  onAgain?: () => void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: self } = useUser();
  /** The users that were added here, in order. */
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const [finished, setFinished] = useState(false);
  const another = useRef(false);
  const first = useRef<HTMLInputElement>(null);
  const [saved, setSaved] = useState(false);
  useClosedWhenLeft(finished);
  const own = user !== undefined && user.id === self?.userId;
  const form = useForm(valuesOf(user, mailReady));
  const { values, set, fault } = form;
  // Values kept from the previous user are no unsaved changes.
  const begun = [values.username, values.nickname, values.email, values.erpId].some((text) => text !== '');
  const check = useCheck(values, user === undefined);
  const addOne = async () => {
    const isByPassword = values.activation === 'password';
    const { id, username, email } = await call(addUser, {
      body: {
        ...bodyOf(values),
        activation: values.activation,
        oldEnough: values.oldEnough,
        ...(isByPassword ? { password: values.password } : {}),
      },
    });
    setMade([...made, { id, username, email, password: isByPassword ? values.password : '' }]);
    setFinished(!another.current);
    // Roles, organizations, language and place stay for the next user.
    const password = isByPassword ? newFirstPassword() : '';
    set({ username: '', nickname: '', email: '', erpId: '', oldEnough: false, password });
    if (another.current) first.current?.focus();
    another.current = false;
  };
  const save = async () => {
    if (user) {
      await call(editUser, { body: { id: user.id, ...bodyOf(values) } });
      setSaved(true);
    } else await addOne();
    await client.invalidateQueries({ queryKey: ['user'] });
    if (own) await client.invalidateQueries({ queryKey: ['session'] });
    if (user) await done('saved', { name: values.username.trim() });
    if (user) await navigate({ to: '/system/users', search: {} as never, ignoreBlocker: true });
  };
  if (finished) return <MadeUsersPage users={made} onAgain={onAgain} />;
  return (
    <FormPage
      title={user ? t('user.edit', { name: user.username }) : t('user.add')}
      form={form}
      saved={saved}
      unsaved={form.dirty && !saved && (made.length === 0 || begun)}
      confirm={t(user ? 'common.save' : 'user.add')}
      more={
        user === undefined && (
          <Button
            variant="default"
            disabled={form.busy}
            onClick={(e) => {
              another.current = true;
              e.currentTarget.form?.requestSubmit();
            }}
          >
            {t('severalUsers.addAnother')}
          </Button>
        )
      }
      onConfirm={() => {
        another.current = false;
      }}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/system/users', search: {} as never })}
    >
      {made.length > 0 && (
        <section className={several.kept} role="status">
          <strong>{t('severalUsers.added', { count: made.length })}</strong>
          <MadeUsers users={made} />
        </section>
      )}
      {modes}
      <NameFields form={form} isNew={user === undefined} first={first} />
      <RightFields values={values} set={set} fault={fault} own={own} />
      {user === undefined && <FirstAccess form={form} mailReady={mailReady} names={[values.username, values.email]} />}
      <PlaceFields values={values} set={set} />
      <TextField form={form} name="erpId" label={t('user.erpId')} maxLength={64} />
      {user && <UserFacts user={user} />}
      {user === undefined && <AgeField text="user.oldEnough" values={values} set={set} error={fault('oldEnough')} />}
    </FormPage>
  );
}

/** Address and names. For a new user the address comes first, because the names follow it. */
function NameFields({
  form,
  isNew,
  first,
}: {
  form: Form<Values>;
  isNew: boolean;
  /** The address. */
  first: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useText();
  const email = (
    <TextField
      form={form}
      name="email"
      ref={first}
      type="email"
      label={t('user.email')}
      maxLength={254}
      also={(typed) => (isNew ? withEmail(form.values, typed) : {})}
      autoFocus={isNew}
    />
  );
  return (
    <>
      {isNew && email}
      <TextField
        form={form}
        name="username"
        label={t('user.username')}
        description={t('user.usernameHint')}
        maxLength={64}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!isNew}
      />
      <TextField form={form} name="nickname" label={t('user.nickname')} maxLength={64} />
      {!isNew && email}
    </>
  );
}

/** What the user cannot change here. */
function UserFacts({ user }: { user: UserRecord }) {
  const { t } = useText();
  return (
    <Facts
      items={[
        [t('user.status'), <UserState key="s" status={user.status} />],
        [t('user.company'), user.companyName],
        [t('user.lastLogin'), moment(user.lastLoginAt)],
        ...(user.email === null ? [] : [[t('mailState.last'), <LastMail key="m" id={user.id} />] as const]),
        [t('user.createdBy'), user.createdBy],
        [t('user.editor'), user.editor],
        [t('user.created'), moment(user.createdAt)],
        [t('user.updated'), moment(user.updatedAt)],
      ]}
    />
  );
}
