import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Language } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { done } from '../../../kit/part/done.ts';
import { AreaField, CheckField, NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage, PageFrame } from '../../../kit/part/form-page.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { currentLanguage, languageNames } from '../../../kit/browser/language.ts';
import { useMailReady } from '../../../kit/api/mail-ready.ts';
import { countryOptions, noCountry } from '../../../kit/text/country.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { companyTypes } from '../../organization/company/company.calls.ts';
import { withEmail } from '../../people/user/address-list.ts';
import { FirstAccess } from '../../people/user/first-access.tsx';
import { FirstLogin } from '../../people/user/first-login.tsx';
import { newFirstPassword } from '../../people/user/first-password.tsx';
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

const valuesOf = (channel: Channel | undefined, organizationName: string, password: string, mailReady: boolean) => ({
  name: channel?.name ?? '',
  type: channel?.type ?? ('reseller' as Channel['type']),
  addressId: channel?.addressId ?? none,
  remarks: channel?.remarks ?? '',
  organizationName,
  username: channel?.username ?? '',
  nickname: channel?.nickname ?? '',
  email: channel?.email ?? '',
  activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
  password,
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
type Values = ReturnType<typeof valuesOf>;

const hasAccount = (channel: Channel | undefined): boolean => channel === undefined || channel.username !== '';

const accountOf = (values: Values) => ({
  nickname: values.nickname.trim(),
  email: values.email.trim() === '' ? null : values.email.trim(),
  timezoneId: values.timezoneId === zoneOfBrowser ? null : Number(values.timezoneId),
  countryId: Number(values.countryId),
});

/** Stores the channel and its account, or adds both. */
async function store(channel: Channel | undefined, values: Values, addressId: string): Promise<void> {
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
    if (!hasAccount(channel)) return;
    await call(editChannelAccount, { body: { id: channel.id, ...accountOf(values), language: values.language } });
    return;
  }
  await call(addChannel, {
    body: {
      ...own,
      ...accountOf(values),
      organizationName: values.organizationName.trim(),
      username: values.username.trim(),
      activation: values.activation,
      oldEnough: values.oldEnough,
      language: values.language ?? currentLanguage(),
      ...(values.activation === 'password' ? { password: values.password } : {}),
    },
  });
}

/** Returns the check of a new channel's account. */
function useAccountCheck(values: Values) {
  const { t } = useText();
  const names = [values.username, values.email, values.name];
  return () => ({
    ...(values.organizationName.trim() === '' ? { organizationName: t('organization.nameMissing') } : {}),
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
    ...(values.activation === 'password' && missingParts(values.password, names).length > 0
      ? { password: t('password.rule') }
      : {}),
    ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
  });
}

/** Adds or edits a channel with its account (CHN-02). */
function ChannelForm({ channel, room, mailReady }: { channel: Channel | undefined; room: Room; mailReady: boolean }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const addresses = useQuery(addressNamesQuery()).data ?? [];
  const [saved, setSaved] = useState(false);
  const [made, setMade] = useState(false);
  const [first] = useState(() => (mailReady ? '' : newFirstPassword()));
  const form = useForm(valuesOf(channel, t('company.firstOrganization'), first, mailReady));
  const { values } = form;
  // A new channel needs an address; the only one is chosen from the start.
  const onlyAddress = channel === undefined && addresses.length === 1 ? addresses[0]!.id : none;
  const addressId = values.addressId === none ? onlyAddress : values.addressId;
  const back = () => void navigate({ to: '/channel/boundChannelList', search: {} as never });
  const checkAccount = useAccountCheck(values);
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('channel.nameMissing') } : {}),
    ...(addresses.length > 0 && addressId === none ? { addressId: t('channel.addressMissing') } : {}),
    ...(hasAccount(channel) && values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(channel ? {} : checkAccount()),
  });
  const save = async () => {
    await store(channel, values, addressId);
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['channel'] });
    await client.invalidateQueries({ queryKey: ['channelAddress'] });
    await done(channel ? 'saved' : 'added', { name: values.name.trim() });
    if (!channel && values.activation === 'password') setMade(true);
    else await navigate({ to: '/channel/boundChannelList', search: {} as never, ignoreBlocker: true });
  };
  if (made) return <MadeChannel username={values.username.trim()} password={values.password} onDone={back} />;
  return (
    <FormPage
      title={channel ? t('channel.editOne', { name: channel.name }) : t('channel.add')}
      form={form}
      saved={saved}
      confirm={t(channel ? 'common.save' : 'channel.add')}
      onSubmit={form.submit(check, save)}
      onCancel={back}
    >
      <TextField form={form} name="name" label={t('channel.name')} maxLength={128} autoFocus />
      <SelectField
        form={form}
        name="type"
        label={t('channel.type')}
        data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
      />
      {addresses.length > 0 && (
        <SelectField
          form={{ ...form, values: { ...values, addressId } }}
          name="addressId"
          label={t('channel.address')}
          data={[
            { value: none, label: t('channel.addressNone') },
            ...addresses.map((a) => ({ value: a.id, label: a.path.join(' / ') })),
          ]}
        />
      )}
      {!channel && <TextField form={form} name="organizationName" label={t('company.organization')} maxLength={64} />}
      <AreaField form={form} name="remarks" label={t('channel.remarks')} maxLength={512} />
      {hasAccount(channel) && <AccountFields form={form} channel={channel} mailReady={mailReady} />}
      <GivenFields form={form} channel={channel} room={room} />
      {!channel && <AgeField text="user.oldEnough" values={values} set={form.set} error={form.fault('oldEnough')} />}
    </FormPage>
  );
}

/** Shows the first password of a channel's account once. */
function MadeChannel({ username, password, onDone }: { username: string; password: string; onDone: () => void }) {
  const { t } = useText();
  return (
    <PageFrame title={t('user.added', { name: username })}>
      <div className={css.body}>
        <FirstLogin username={username} password={password} />
      </div>
      <footer className={css.foot}>
        <Button autoFocus onClick={onDone}>
          {t('common.done')}
        </Button>
      </footer>
    </PageFrame>
  );
}

/** The account that the channel logs in with. */
function AccountFields({
  form,
  channel,
  mailReady,
}: {
  form: Form<Values>;
  channel: Channel | undefined;
  mailReady: boolean;
}) {
  const { t } = useText();
  const zones = useZoneOptions();
  const { values } = form;
  const emailOwn = channel !== undefined && channel.accountStatus !== 'inactive';
  return (
    <FormGroup title={t('channel.account')}>
      <TextField
        form={form}
        name="email"
        type="email"
        label={t('channel.email')}
        maxLength={254}
        {...(emailOwn ? { disabled: true, description: t('channel.emailOwn') } : {})}
        also={(email) => (channel === undefined ? withEmail(values, email) : {})}
      />
      {!channel && <TextField form={form} name="username" label={t('channel.username')} maxLength={64} code />}
      <TextField form={form} name="nickname" label={t('channel.nickname')} maxLength={64} />
      {!channel && (
        <FirstAccess form={form} mailReady={mailReady} names={[values.username, values.email, values.name]} />
      )}
      <SelectField
        form={form}
        name="language"
        label={t('channel.language')}
        data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      />
      <SelectField form={form} name="timezoneId" label={t('channel.timezoneId')} data={zones} searchable />
      <SelectField
        form={form}
        name="countryId"
        label={t('channel.countryId')}
        data={countryOptions(t('user.countryNone'))}
      />
    </FormGroup>
  );
}

/** What the channel may do and add, out of what its parent company has. */
function GivenFields({ form, channel, room }: { form: Form<Values>; channel: Channel | undefined; room: Room }) {
  const { t } = useText();
  const left = {
    createSubLimit: Math.max(0, room.subsLeft + (channel ? channel.createSubLimit : -1)),
    fcsLimit: room.fcsLeft + (channel?.fcsLimit ?? 0),
  };
  return (
    <FormGroup title={t('channel.given')}>
      {(['createSubLimit', 'fcsLimit'] as const).map((limit) => (
        <NumberField
          key={limit}
          form={form}
          name={limit}
          label={t(`channel.${limit}`)}
          description={t('channel.left', { number: count(left[limit]) })}
          min={0}
          max={1_000_000}
          allowNegative={false}
        />
      ))}
      {flags.map((flag) => (
        <div key={flag}>
          <CheckField
            form={form}
            name={flag}
            label={t(`channel.${flag}`)}
            {...(room[flag] ? {} : { description: t('channel.flagMissing') })}
            disabled={!room[flag] && !form.values[flag]}
          />
        </div>
      ))}
      <TextField form={form} name="fcsUrl" label={t('channel.fcsUrl')} maxLength={256} code />
      <TextField form={form} name="fcsDomain" label={t('channel.fcsDomain')} maxLength={253} code />
    </FormGroup>
  );
}
