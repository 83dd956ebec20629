import { useState, type ChangeEvent, type ReactNode } from 'react';
import { Button, Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Language } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { done } from '../../../kit/part/done.ts';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { currentLanguage, languageNames } from '../../../kit/session/language.ts';
import { useMailReady } from '../../../kit/session/mail-ready.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { countryOptions, noCountry } from '../../../kit/text/country.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { companyTypes } from '../../organization/company/company.calls.ts';
import { withEmail } from '../../people/user/address-list.ts';
import { ActivationField } from '../../people/user/activation-field.tsx';
import { FirstLogin } from '../../people/user/first-login.tsx';
import { FirstPassword, newFirstPassword } from '../../people/user/first-password.tsx';
import { AgeField } from '../../people/user/user-fields.tsx';
import { addressNamesQuery } from '../channel-address/channel-address.calls.ts';
import {
  addChannel,
  channelQuery,
  editChannel,
  editChannelAccount,
  roomQuery,
  type Channel,
  type Room,
} from './channel.calls.ts';
import css from '../../../kit/part/form-page.module.css';

const route = getRouteApi('/_main/channel/editSubAccount');
const none = '-';
const flags = ['licenseGranting', 'fcsEnabled', 'localSync'] as const;

export function AddSubAccountPage() {
  const access = useAccess();
  const mailReady = useMailReady();
  const room = useQuery(roomQuery()).data;
  if (!access.can('addChannel')) return access.ready && <StatusPage code="403" />;
  return mailReady === undefined || !room ? null : (
    <ChannelForm channel={undefined} room={room} mailReady={mailReady} />
  );
}

export function EditSubAccountPage() {
  const { id = '' } = route.useSearch();
  const channel = useQuery(channelQuery(id));
  const room = useQuery(roomQuery()).data;
  const access = useAccess();
  if (access.ready && !access.can('editChannel')) return <StatusPage code="403" />;
  if (channel.isError) return <StatusPage code="404" />;
  return channel.data && room && access.ready ? <ChannelForm channel={channel.data} room={room} mailReady /> : null;
}

/** Adds or edits a channel with its account (spec, section 3, "Channel account"). */
function ChannelForm({ channel, room, mailReady }: { channel: Channel | undefined; room: Room; mailReady: boolean }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const zones = useZoneOptions();
  const addresses = useQuery(addressNamesQuery()).data ?? [];
  const [saved, setSaved] = useState(false);
  const [made, setMade] = useState(false);
  const [first] = useState(() => (mailReady ? '' : newFirstPassword()));
  useClosedWhenLeft(saved && !made);
  const { values, set, fault, submit, refusal, busy, dirty } = useForm({
    name: channel?.name ?? '',
    type: channel?.type ?? ('reseller' as Channel['type']),
    addressId: channel?.addressId ?? none,
    remarks: channel?.remarks ?? '',
    organizationName: t('company.firstOrganization'),
    username: channel?.username ?? '',
    nickname: channel?.nickname ?? '',
    email: channel?.email ?? '',
    activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
    password: first,
    language: (channel ? channel.language : currentLanguage()) as Language | null,
    timezoneId: channel?.timezoneId ? String(channel.timezoneId) : zoneOfBrowser,
    countryId: channel ? String(channel.countryId) : noCountry,
    oldEnough: false,
    createSubLimit: (channel?.createSubLimit ?? 0) as number | '',
    fcsLimit: (channel?.fcsLimit ?? 0) as number | '',
    licenseGranting: channel?.licenseGranting ?? false,
    fcsEnabled: channel?.fcsEnabled ?? false,
    localSync: channel?.localSync ?? false,
    fcsUrl: channel?.fcsUrl ?? '',
    fcsDomain: channel?.fcsDomain ?? '',
  });
  const hasAccount = channel === undefined || channel.username !== '';
  // A new channel needs an address; the only one is chosen from the start.
  const onlyAddress = channel === undefined && addresses.length === 1 ? addresses[0]!.id : none;
  const addressId = values.addressId === none ? onlyAddress : values.addressId;
  const emailOwn = channel !== undefined && channel.accountStatus !== 'inactive';
  const back = () => void navigate({ to: '/channel/boundChannelList', search: {} as never });
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('channel.nameMissing') } : {}),
    ...(addresses.length > 0 && addressId === none ? { addressId: t('channel.addressMissing') } : {}),
    ...(hasAccount && values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(channel
      ? {}
      : {
          ...(values.organizationName.trim() === '' ? { organizationName: t('organization.nameMissing') } : {}),
          ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
          ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
          ...(values.activation === 'password' &&
          missingParts(values.password, [values.username, values.email, values.name]).length > 0
            ? { password: t('password.rule') }
            : {}),
          ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
        }),
  });
  const account = () => ({
    nickname: values.nickname.trim(),
    email: values.email.trim() === '' ? null : values.email.trim(),
    timezoneId: values.timezoneId === zoneOfBrowser ? null : Number(values.timezoneId),
    countryId: Number(values.countryId),
  });
  const save = async () => {
    const own = {
      name: values.name.trim(),
      type: values.type,
      remarks: values.remarks.trim(),
      addressId: addressId === none ? null : addressId,
      createSubLimit: Number(values.createSubLimit),
      fcsLimit: Number(values.fcsLimit),
      licenseGranting: values.licenseGranting,
      fcsEnabled: values.fcsEnabled,
      localSync: values.localSync,
      fcsUrl: values.fcsUrl.trim(),
      fcsDomain: values.fcsDomain.trim(),
    };
    if (channel) {
      await call(editChannel, { body: { id: channel.id, ...own } });
      if (hasAccount)
        await call(editChannelAccount, { body: { id: channel.id, ...account(), language: values.language } });
    } else {
      await call(addChannel, {
        body: {
          ...own,
          ...account(),
          organizationName: values.organizationName.trim(),
          username: values.username.trim(),
          activation: values.activation,
          oldEnough: values.oldEnough,
          language: values.language ?? currentLanguage(),
          ...(values.activation === 'password' ? { password: values.password } : {}),
        },
      });
    }
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['channel'] });
    await client.invalidateQueries({ queryKey: ['channelAddress'] });
    await done(channel ? 'saved' : 'added', { name: own.name });
    if (!channel && values.activation === 'password') setMade(true);
    else await navigate({ to: '/channel/boundChannelList', search: {} as never, ignoreBlocker: true });
  };
  if (made)
    return (
      <div className={css.page}>
        <header className={css.head}>
          <h1>{t('user.added', { name: values.username.trim() })}</h1>
        </header>
        <div className={css.body}>
          <FirstLogin username={values.username.trim()} password={values.password} />
        </div>
        <footer className={css.foot}>
          <Button autoFocus onClick={back}>
            {t('common.done')}
          </Button>
        </footer>
      </div>
    );
  type TextField = 'name' | 'organizationName' | 'username' | 'nickname' | 'email' | 'fcsUrl' | 'fcsDomain';
  const text = (field: TextField, label: string, most: number, more: object = {}) => (
    <TextInput
      name={field}
      label={label}
      maxLength={most}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      {...more}
    />
  );
  const limit = (field: 'createSubLimit' | 'fcsLimit', left: number) => (
    <NumberInput
      name={field}
      label={t(`channel.${field}`)}
      description={t('channel.left', { number: count(left) })}
      min={0}
      max={1_000_000}
      allowDecimal={false}
      allowNegative={false}
      value={values[field]}
      onChange={(value) => set({ [field]: value === '' ? '' : Number(value) })}
      error={fault(field)}
    />
  );
  const group = (title: string, fields: ReactNode) => (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      {fields}
    </fieldset>
  );
  const code = { autoCapitalize: 'none', spellCheck: false, classNames: { input: 'mono' } };
  return (
    <div className={css.page}>
      <LeaveGuard when={dirty && !saved} />
      <header className={css.head}>
        <h1>{channel ? t('channel.editOne', { name: channel.name }) : t('channel.add')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, save)} noValidate>
        <div className={css.body}>
          {text('name', t('channel.name'), 128, { autoFocus: true })}
          <Select
            name="type"
            label={t('channel.type')}
            data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
            value={values.type}
            onChange={(v) => set({ type: v as Channel['type'] })}
            allowDeselect={false}
          />
          {addresses.length > 0 && (
            <Select
              name="addressId"
              label={t('channel.address')}
              data={[
                { value: none, label: t('channel.addressNone') },
                ...addresses.map((a) => ({ value: a.id, label: a.path.join(' / ') })),
              ]}
              value={addressId}
              onChange={(v) => set({ addressId: v ?? none })}
              error={fault('addressId')}
              allowDeselect={false}
              searchable={addresses.length > 8}
            />
          )}
          {!channel && text('organizationName', t('company.organization'), 64)}
          <Textarea
            name="remarks"
            label={t('channel.remarks')}
            maxLength={512}
            value={values.remarks}
            onChange={(e) => set({ remarks: e.currentTarget.value })}
            autosize
            minRows={2}
          />
          {hasAccount &&
            group(
              t('channel.account'),
              <>
                {text('email', t('channel.email'), 254, {
                  type: 'email',
                  ...(emailOwn ? { disabled: true, description: t('channel.emailOwn') } : {}),
                  ...(channel === undefined
                    ? {
                        onChange: (e: ChangeEvent<HTMLInputElement>) => set(withEmail(values, e.currentTarget.value)),
                      }
                    : {}),
                })}
                {!channel && text('username', t('channel.username'), 64, code)}
                {text('nickname', t('channel.nickname'), 64)}
                {!channel && (
                  <ActivationField
                    value={values.activation}
                    mailReady={mailReady}
                    onChange={(activation) =>
                      set({
                        activation,
                        ...(activation === 'password' && values.password === ''
                          ? { password: newFirstPassword() }
                          : {}),
                      })
                    }
                  />
                )}
                {!channel && values.activation === 'password' && (
                  <FirstPassword
                    value={values.password}
                    names={[values.username, values.email, values.name]}
                    onValue={(password) => set({ password })}
                    error={fault('password')}
                  />
                )}
                <Select
                  name="language"
                  label={t('channel.language')}
                  data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
                  value={values.language}
                  onChange={(v) => set({ language: v as Language })}
                  allowDeselect={false}
                />
                <Select
                  name="timezoneId"
                  label={t('channel.timezoneId')}
                  data={zones}
                  value={values.timezoneId}
                  onChange={(v) => set({ timezoneId: v ?? zoneOfBrowser })}
                  allowDeselect={false}
                  searchable
                />
                <Select
                  name="countryId"
                  label={t('channel.countryId')}
                  data={countryOptions(t('user.countryNone'))}
                  value={values.countryId}
                  onChange={(v) => set({ countryId: v ?? noCountry })}
                  allowDeselect={false}
                  searchable
                />
              </>,
            )}
          {group(
            t('channel.given'),
            <>
              {limit('createSubLimit', Math.max(0, room.subsLeft + (channel ? channel.createSubLimit : -1)))}
              {limit('fcsLimit', room.fcsLeft + (channel?.fcsLimit ?? 0))}
              {flags.map((flag) => (
                <div key={flag}>
                  <Checkbox
                    name={flag}
                    label={t(`channel.${flag}`)}
                    {...(room[flag] ? {} : { description: t('channel.flagMissing') })}
                    disabled={!room[flag] && !values[flag]}
                    checked={values[flag]}
                    onChange={(e) => set({ [flag]: e.currentTarget.checked })}
                    error={fault(flag)}
                  />
                </div>
              ))}
              {text('fcsUrl', t('channel.fcsUrl'), 256, code)}
              {text('fcsDomain', t('channel.fcsDomain'), 253, code)}
            </>,
          )}
          {!channel && <AgeField text="user.oldEnough" values={values} set={set} error={fault('oldEnough')} />}
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={back}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(channel ? 'common.save' : 'channel.add')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
