import { useMemo, useState } from 'react';
import { Button, Checkbox, Modal, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { IconBuildingSkyscraper, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Language, listCompanies, RouteCall, RouteOutput } from '@carillon/contracts';
import { subAccountAge } from '@carillon/contracts/constants';
import { missingParts } from '@carillon/contracts/password';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { currentLanguage, languageNames } from '../../../kit/session/language.ts';
import { count } from '../../../kit/text/text.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions } from '../../../kit/text/zone.ts';
import { FirstLogin } from '../../people/user/first-login.tsx';
import { FirstPassword, newFirstPassword } from '../../people/user/first-password.tsx';
import css from '../../../kit/part/dialog.module.css';

const route = getRouteApi('/_main/system/company');
const list = remote('listCompanies', 'GET /api/f/org/company/list');
const add = remote('addCompany', 'POST /api/f/auth/company');
type Query = NonNullable<RouteCall<typeof listCompanies>['query']>;
type Company = RouteOutput<typeof listCompanies>['records'][number];
const types = [
  'distributor',
  'reseller',
  'integrator',
  'itsp',
  'vad',
  'channel',
  'operator',
  'enterprise',
  'vip',
] as const;
const rules: ListRules<never> = { sorts: [], filters: {} as Record<never, undefined> };

/** The companies of the installation, for its super administrator. */
export function CompanyListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const access = useAccess();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const request = queryOf(state) as Query;
  const query = useQuery({
    queryKey: ['company', 'list', request],
    queryFn: ({ signal }) => call(list, { query: request }, { signal }),
    placeholderData: keepPreviousData,
  });
  const [adding, setAdding] = useState(false);
  const columns = useMemo(
    (): Column<Company>[] => [
      { key: 'name', title: t('company.name'), width: 240, fixed: true, render: (c) => c.name },
      { key: 'type', title: t('company.type'), width: 180, render: (c) => t(`companyType.${c.type}`) },
      { key: 'users', title: t('organization.users'), width: 100, align: 'end', render: (c) => count(c.users) },
      { key: 'devices', title: t('organization.devices'), width: 100, align: 'end', render: (c) => count(c.devices) },
      {
        key: 'remarks',
        title: t('company.remarks'),
        width: 240,
        render: (c) => <span title={c.remarks}>{c.remarks || '–'}</span>,
      },
      { key: 'createdAt', title: t('user.created'), hint: zoneName(), width: 158, render: (c) => moment(c.createdAt) },
    ],
    [t],
  );
  const button = access.can('addCompany') && (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setAdding(true)}>
      {t('company.add')}
    </Button>
  );
  return (
    <>
      <DataGrid<Company, never>
        name="company"
        title={t('menu.companies')}
        columns={columns}
        query={query}
        state={state}
        filters={[]}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(c) => c.name}
        searchLabel={t('company.search')}
        phone={(c) => ({
          title: c.name,
          sub: t(`companyType.${c.type}`),
          state: t('organization.contents', { users: count(c.users), devices: count(c.devices) }),
          extra: moment(c.createdAt),
        })}
        primary={button}
        empty={{
          icon: <IconBuildingSkyscraper size={20} stroke={1.5} />,
          title: t('company.none'),
          text: t('company.noneText'),
          action: button,
        }}
        noMatch={t('company.noMatch')}
        failure={t('company.listFailed')}
      />
      {adding && <CompanyDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** A company and the one who administers it first. */
function CompanyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const zones = useZoneOptions();
  const client = useQueryClient();
  const form = useForm({
    name: '',
    type: 'enterprise' as (typeof types)[number],
    organizationName: t('company.firstOrganization'),
    remarks: '',
    username: '',
    nickname: '',
    email: '',
    activation: 'email' as 'email' | 'password',
    password: '',
    language: currentLanguage() as Language,
    timezoneId: '1',
    oldEnough: false,
  });
  const [made, setMade] = useState(false);
  const { values, set, fault } = form;
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('company.nameMissing') } : {}),
    ...(values.organizationName.trim() === '' ? { organizationName: t('organization.nameMissing') } : {}),
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
    ...(values.activation === 'password' && missingParts(values.password).length > 0
      ? { password: t('password.rule') }
      : {}),
    ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
  });
  async function save() {
    const { password, email, timezoneId, ...rest } = values;
    await call(add, {
      body: {
        ...rest,
        name: rest.name.trim(),
        username: rest.username.trim(),
        nickname: rest.nickname.trim(),
        email: email.trim() === '' ? null : email.trim(),
        timezoneId: Number(timezoneId),
        countryId: 1,
        ...(rest.activation === 'password' ? { password } : {}),
      },
    });
    await client.invalidateQueries({ queryKey: ['company'] });
    if (rest.activation === 'password') setMade(true);
    else onClose();
  }
  if (made)
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('user.added', { name: values.username.trim() })}
        withCloseButton={false}
        size="lg"
      >
        <FirstLogin username={values.username.trim()} password={values.password} />
        <div className={css.buttons}>
          <Button data-autofocus onClick={onClose}>
            {t('common.done')}
          </Button>
        </div>
      </Modal>
    );
  const text = (
    field: 'name' | 'organizationName' | 'username' | 'nickname' | 'email',
    label: string,
    more: object = {},
  ) => (
    <TextInput
      name={field}
      label={label}
      maxLength={field === 'email' ? 254 : 64}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      {...more}
    />
  );
  return (
    <Modal opened onClose={onClose} title={t('company.add')} withCloseButton={false} size="lg">
      <form onSubmit={form.submit(check, save)} noValidate style={{ display: 'grid', gap: 12 }}>
        {text('name', t('company.name'), { 'data-autofocus': true })}
        <Select
          label={t('company.type')}
          data={types.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
          value={values.type}
          onChange={(v) => set({ type: v as 'enterprise' })}
          allowDeselect={false}
        />
        {text('organizationName', t('company.organization'))}
        {text('username', t('company.administrator'), { autoCapitalize: 'none', spellCheck: false })}
        {text('nickname', t('user.nickname'))}
        {text('email', t('user.email'), { type: 'email' })}
        <SegmentedControl
          aria-label={t('user.activation')}
          data={[
            { value: 'email', label: t('user.byEmail') },
            { value: 'password', label: t('user.byPassword') },
          ]}
          value={values.activation}
          onChange={(v) =>
            set({
              activation: v as 'email',
              ...(v === 'password' && values.password === '' ? { password: newFirstPassword() } : {}),
            })
          }
        />
        {values.activation === 'password' && (
          <FirstPassword value={values.password} onValue={(password) => set({ password })} error={fault('password')} />
        )}
        <Select
          label={t('user.language')}
          data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          value={values.language}
          onChange={(v) => set({ language: v as Language })}
          allowDeselect={false}
        />
        <Select
          label={t('user.timezone')}
          data={zones}
          value={values.timezoneId}
          onChange={(v) => set({ timezoneId: v ?? '1' })}
          allowDeselect={false}
          searchable
        />
        <Textarea
          label={t('company.remarks')}
          maxLength={512}
          value={values.remarks}
          onChange={(e) => set({ remarks: e.currentTarget.value })}
          autosize
          minRows={2}
        />
        <Checkbox
          name="oldEnough"
          label={t('user.oldEnough', { age: subAccountAge })}
          checked={values.oldEnough}
          onChange={(e) => set({ oldEnough: e.currentTarget.checked })}
          error={fault('oldEnough')}
        />
        <RefusalBox refusal={form.refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t('company.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
