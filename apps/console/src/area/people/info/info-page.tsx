import { useRef, useState } from 'react';
import { Avatar, Button, FileButton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Language, RouteOutput, bladeUserInfo } from '@carillon/contracts';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { done } from '../../../kit/part/done.ts';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { chooseZone } from '../../../kit/api/choose-zone.ts';
import { setPlace } from '../../../kit/session/session.ts';
import { startClock } from '../../../kit/text/clock.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { CountryField, LanguageField } from '../user/user-fields.tsx';
import { SecondSteps } from './second-steps.tsx';
import { Sessions } from './sessions.tsx';
import css from './info-page.module.css';

const editOwnUser = remote('editOwnUser', 'PUT /api/f/auth/user/own');
const editErpId = remote('editErpId', 'POST /api/f/mc/user/erpID');
const editEnterprise = remote('editEnterprise', 'POST /api/f/mc/user/enterprise');
const setAvatar = remote('setAvatar', 'POST /api/f/auth/user/avatar');
const largest = 100 * 1024;
type User = RouteOutput<typeof bladeUserInfo>;

/** Shows and edits the user's own data (AUTH-16, USER-04). */
export function InfoPage() {
  const { data: user } = useUser();
  return user ? <Info user={user} /> : null;
}

function Info({ user }: { user: User }) {
  const { t } = useText();
  const access = useAccess();
  return (
    <section className={css.page} aria-label={t('info.title')}>
      <header className={css.head}>
        <h1>{t('info.title')}</h1>
      </header>
      <div className={css.body}>
        <Picture user={user} />
        <Basic user={user} />
        <section className={css.card} aria-labelledby="info-security">
          <h2 id="info-security">{t('info.security')}</h2>
          <div className={css.row}>
            <div>
              <strong>{t('login.password')}</strong>
              <span>{t('info.passwordText')}</span>
            </div>
            <Button component={Link} to="/resetPassword" variant="default">
              {t('password.change')}
            </Button>
          </div>
          <div className={css.row}>
            <div>
              <strong>{t('user.email')}</strong>
              <span>
                {user.email ?? t('info.noEmail')}
                {user.pendingEmail !== null && (
                  <>
                    <br />
                    {t('info.pendingEmail', { email: user.pendingEmail })}
                  </>
                )}
              </span>
            </div>
            <Button component={Link} to="/resetEmail" variant="default">
              {t('info.changeEmail')}
            </Button>
          </div>
        </section>
        <SecondSteps />
        <Sessions />
        <Zone user={user} />
        {access.can('editEnterprise') && <Enterprise user={user} />}
        <section className={css.card} aria-labelledby="info-facts">
          <h2 id="info-facts">{t('info.facts')}</h2>
          <Facts
            items={[
              [t('user.username'), user.username],
              [t('user.company'), user.companyName],
              [t('user.type'), t(`accountType.${user.accountType}`)],
              [t('user.roles'), user.roles.join(', ')],
              [t('user.lastLogin'), moment(user.lastLoginAt)],
              [t('user.createdBy'), user.createdBy],
              [t('user.editor'), user.editor],
              [t('user.created'), moment(user.createdAt)],
              [t('user.updated'), moment(user.updatedAt)],
              [t('info.userId'), <code key="id">{user.userId}</code>],
            ]}
          />
        </section>
      </div>
    </section>
  );
}

const useAgain = () => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['session', 'user'] });
};

function Picture({ user }: { user: User }) {
  const { t } = useText();
  const again = useAgain();
  const reset = useRef<() => void>(null);
  const [refusal, setRefusal] = useState<Refusal>();
  async function send(file: File | null) {
    reset.current?.();
    setRefusal(undefined);
    if (file && file.size > largest) {
      setRefusal({ text: t('info.imageTooLarge') });
      return;
    }
    try {
      const bytes = file && new Uint8Array(await file.arrayBuffer());
      await call(setAvatar, {
        body: { image: bytes && btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')) },
      });
      await again();
      await done(file ? 'saved' : 'removed', { name: t('info.picture') });
    } catch (e) {
      setRefusal(refusalOf(e));
    }
  }
  return (
    <section className={css.card} aria-labelledby="info-picture">
      <h2 id="info-picture">{t('info.picture')}</h2>
      <div className={css.picture}>
        <Avatar src={user.avatar} alt={t('info.picture')} name={user.nickname} size={64} radius={32} />
        <div>
          <div className={css.buttons}>
            <FileButton
              resetRef={reset}
              onChange={(file) => void send(file)}
              accept="image/png,image/jpeg"
              inputProps={{ 'aria-label': t('info.choosePicture') }}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {t('info.choosePicture')}
                </Button>
              )}
            </FileButton>
            {user.avatar !== null && (
              <Button variant="subtle" onClick={() => void send(null)}>
                {t('info.removePicture')}
              </Button>
            )}
          </div>
          <p className={css.hint}>{t('info.pictureHint')}</p>
        </div>
      </div>
      <RefusalBox refusal={refusal} />
    </section>
  );
}

function Basic({ user }: { user: User }) {
  const { t } = useText();
  const again = useAgain();
  const form = useForm(
    {
      nickname: user.nickname,
      language: (user.language ?? '') as string,
      countryId: String(user.countryId),
      erpId: user.erpId ?? '',
    },
    { follows: true },
  );
  const { values, set, refusal, busy, dirty } = form;
  const save = async () => {
    await call(editOwnUser, {
      body: {
        nickname: values.nickname.trim(),
        language: values.language === '' ? null : (values.language as Language),
        countryId: Number(values.countryId),
      },
    });
    if (values.erpId.trim() !== (user.erpId ?? ''))
      await call(editErpId, { body: { erpId: values.erpId.trim() === '' ? null : values.erpId.trim() } });
    if (values.countryId !== String(user.countryId)) {
      // Another country may have another daylight saving rule.
      setPlace({ countryId: Number(values.countryId) });
      await startClock();
    }
    await again();
    await done('saved', { name: t('info.basic') });
  };
  return (
    <form
      className={css.card}
      onSubmit={form.submit(() => (values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}), save)}
      noValidate
      aria-labelledby="info-basic"
    >
      <h2 id="info-basic">{t('info.basic')}</h2>
      <TextField form={form} name="nickname" label={t('user.nickname')} maxLength={64} autoComplete="nickname" />
      <LanguageField label={t('info.mailLanguage')} values={values} set={set} />
      <CountryField values={values} set={set} />
      <TextField form={form} name="erpId" label={t('user.erpId')} maxLength={64} />
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        <Button type="submit" loading={busy} disabled={!dirty} title={dirty ? undefined : t('info.unchanged')}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

function Zone({ user }: { user: User }) {
  const { t } = useText();
  const zones = useZoneOptions();
  const form = useForm({ timezoneId: user.zoneChosen ? String(user.timezoneId) : zoneOfBrowser }, { follows: true });
  const { values, refusal, busy, dirty } = form;
  return (
    <form
      className={css.card}
      noValidate
      aria-labelledby="info-zone"
      onSubmit={form.submit(
        () => ({}),
        async () => {
          const chosen = zones.find((z) => z.value === values.timezoneId);
          await chooseZone(
            chosen && chosen.value !== zoneOfBrowser
              ? { id: Number(chosen.value), displayName: chosen.label }
              : undefined,
          );
        },
      )}
    >
      <h2 id="info-zone">{t('user.timezone')}</h2>
      <SelectField form={form} name="timezoneId" aria-labelledby="info-zone" data={zones} searchable />
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        <Button type="submit" loading={busy} disabled={!dirty} title={dirty ? undefined : t('info.unchanged')}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

function Enterprise({ user }: { user: User }) {
  const { t } = useText();
  const again = useAgain();
  const form = useForm({ ...user.enterprise }, { follows: true });
  const { values, set, fault, refusal, busy, dirty } = form;
  const field = (name: 'contact' | 'phone' | 'address' | 'website', maxLength: number) => (
    <TextInput
      name={name}
      label={t(`enterprise.${name}`)}
      maxLength={maxLength}
      value={values[name]}
      onChange={(e) => set({ [name]: e.currentTarget.value })}
      error={fault(name)}
      autoComplete="off"
    />
  );
  return (
    <form
      className={css.card}
      noValidate
      aria-labelledby="info-enterprise"
      onSubmit={form.submit(
        () => ({}),
        async () => {
          await call(editEnterprise, { body: values });
          await again();
          await done('saved', { name: t('info.enterprise', { name: user.companyName }) });
        },
      )}
    >
      <h2 id="info-enterprise">{t('info.enterprise', { name: user.companyName })}</h2>
      {field('contact', 64)}
      {field('phone', 32)}
      {field('address', 256)}
      {field('website', 256)}
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        <Button type="submit" loading={busy} disabled={!dirty} title={dirty ? undefined : t('info.unchanged')}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
