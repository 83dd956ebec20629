import { useRef, useState, type ReactNode } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { done } from '../../../kit/part/done.ts';
import type { UserRecord } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { Facts } from '../../../kit/part/facts.tsx';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useUser } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useMailReady } from '../../../kit/session/mail-ready.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { noCountry } from '../../../kit/text/country.ts';
import { moment } from '../../../kit/text/time.ts';
import { zoneOfBrowser } from '../../../kit/text/zone.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { ActivationField } from './activation-field.tsx';
import { withEmail } from './address-list.ts';
import { LastMail } from '../mail/last-mail.tsx';
import { FirstPassword, newFirstPassword } from './first-password.tsx';
import { MadeUsers, MadeUsersPage, type MadeUser } from './made-users.tsx';
import { SeveralUsers } from './several-users.tsx';
import { AgeField, alikeBody, PlaceFields, RightFields } from './user-fields.tsx';
import { UserState } from './user-state.tsx';
import { addUser, editUser, userQuery } from './user.calls.ts';
import css from '../../../kit/part/form-page.module.css';
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
    timezoneId: user?.zoneChosen ? String(user.timezoneId) : zoneOfBrowser,
    countryId: String(user?.countryId ?? noCountry),
    erpId: user?.erpId ?? '',
    activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
    password: mailReady ? '' : newFirstPassword(),
    oldEnough: false,
  });
  const { values, set, fault } = form;
  // Values kept from the previous user are no unsaved changes.
  const begun = [values.username, values.nickname, values.email, values.erpId].some((text) => text !== '');
  const unsaved = form.dirty && !saved && !finished && (made.length === 0 || begun);
  useClosedWhenLeft(saved || finished);
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
      ...alikeBody(values),
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
      const { id, username, email } = added;
      const password = values.activation === 'password' ? values.password : '';
      setMade([...made, { id, username, email, password }]);
      setFinished(!another.current);
      // Roles, organizations, language and place stay for the next user.
      set({
        username: '',
        nickname: '',
        email: '',
        erpId: '',
        oldEnough: false,
        password: values.activation === 'password' ? newFirstPassword() : '',
      });
      if (another.current) first.current?.focus();
      another.current = false;
    }
    await client.invalidateQueries({ queryKey: ['user'] });
    if (own) await client.invalidateQueries({ queryKey: ['session'] });
    if (user) await done('saved', { name: body.username });
    if (user) await navigate({ to: '/system/users', search: {} as never, ignoreBlocker: true });
  }
  if (finished) return <MadeUsersPage users={made} onAgain={onAgain} />;
  const email = (
    <TextInput
      name="email"
      ref={first}
      type="email"
      label={t('user.email')}
      maxLength={254}
      value={values.email}
      onChange={(e) => {
        const email = e.currentTarget.value;
        set(user === undefined ? withEmail(values, email) : { email });
      }}
      error={fault('email')}
      autoComplete="off"
      autoFocus={user === undefined}
    />
  );
  return (
    <div className={css.page}>
      <LeaveGuard when={unsaved} />
      <header className={css.head}>
        <h1>{user ? t('user.edit', { name: user.username }) : t('user.add')}</h1>
      </header>
      <form className={css.form} onSubmit={form.submit(check, save)} noValidate>
        <div className={css.body}>
          {made.length > 0 && (
            <section className={several.kept} role="status">
              <strong>{t('severalUsers.added', { count: made.length })}</strong>
              <MadeUsers users={made} />
            </section>
          )}
          {modes}
          {user === undefined && email}
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
            autoFocus={user !== undefined}
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
          {user !== undefined && email}
          <RightFields values={values} set={set} fault={fault} own={own} />
          {user === undefined && (
            <ActivationField
              value={values.activation}
              mailReady={mailReady}
              onChange={(activation) =>
                set({
                  activation,
                  ...(activation === 'password' && values.password === '' ? { password: newFirstPassword() } : {}),
                })
              }
            />
          )}
          {user === undefined && values.activation === 'password' && (
            <FirstPassword
              value={values.password}
              names={[values.username, values.email]}
              onValue={(password) => set({ password })}
              error={fault('password')}
            />
          )}
          <PlaceFields values={values} set={set} />
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
                ...(user.email === null ? [] : [[t('mailState.last'), <LastMail key="m" id={user.id} />] as const]),
                [t('user.createdBy'), user.createdBy],
                [t('user.editor'), user.editor],
                [t('user.created'), moment(user.createdAt)],
                [t('user.updated'), moment(user.updatedAt)],
              ]}
            />
          )}
          {user === undefined && (
            <AgeField text="user.oldEnough" values={values} set={set} error={fault('oldEnough')} />
          )}
          <RefusalBox refusal={form.refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={() => void navigate({ to: '/system/users', search: {} as never })}>
            {t('common.cancel')}
          </Button>
          {user === undefined && (
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
          )}
          <Button
            type="submit"
            loading={form.busy}
            onClick={() => {
              another.current = false;
            }}
          >
            {t(user ? 'common.save' : 'user.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
