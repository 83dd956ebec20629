import { useState } from 'react';
import { Button } from '@mantine/core';
import {
  IconBuildingSkyscraper,
  IconCircleCheck,
  IconCircleMinus,
  IconDeviceLandlinePhone,
  IconGavel,
  IconLock,
  IconTag,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { session } from '../../../kit/session/session.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { CompanyState } from './company-state.tsx';
import { companyTypes, isOpen, listCompanies, type Company } from './company.calls.ts';

const CompanyDialog = lazy(() => import('./company-dialog.tsx'));
const EditCompanyDialog = lazy(() => import('./edit-company-dialog.tsx'));
const MacDisputes = lazy(() => import('./mac-disputes.tsx'));
const UnclaimedPhones = lazy(() => import('./unclaimed-phones.tsx'));
const drawer = () => import('./company-drawer.tsx');
const CompanyDrawer = lazy(drawer);
const StatusDialog = lazy(() => drawer().then((file) => ({ default: file.StatusDialog })));

/** The own company can be neither disabled nor locked, because nobody could undo it. */
const closable = (c: Company) => isOpen(c) && c.id !== session()?.companyId;

const flags = ['licenseGranting', 'fcsEnabled', 'localSync'] as const;

const columns: ListColumn<typeof listCompanies>[] = [
  { key: 'name', type: 'text', title: 'company.name', sort: true, width: 200, fixed: true, value: (c) => c.name },
  {
    key: 'type',
    type: 'word',
    title: 'company.type',
    sort: true,
    width: 150,
    phone: 'sub',
    value: (c) => `companyType.${c.type}`,
  },
  {
    key: 'status',
    type: 'word',
    title: 'company.state',
    sort: true,
    width: 110,
    phone: 'state',
    value: (c) => `companyStatus.${c.status}`,
    show: (c) => <CompanyState status={c.status} />,
  },
  { key: 'superior', type: 'text', title: 'channel.superior', sort: true, width: 130, value: (c) => c.superior },
  { key: 'users', type: 'number', title: 'organization.users', width: 90, sort: true, value: (c) => c.users },
  { key: 'devices', type: 'number', title: 'organization.devices', width: 92, sort: true, value: (c) => c.devices },
  {
    key: 'createSubLimit',
    type: 'number',
    title: 'channel.createSubLimit',
    sort: true,
    width: 140,
    optional: true,
    value: (c) => c.createSubLimit,
  },
  {
    key: 'fcsLimit',
    type: 'number',
    title: 'channel.fcsLimit',
    sort: true,
    width: 140,
    optional: true,
    value: (c) => c.fcsLimit,
  },
  ...flags.map((key) => ({
    key,
    type: 'word' as const,
    title: `channel.${key}` as const,
    sort: true as const,
    width: 130,
    optional: true,
    value: (c: Company) => (c[key] ? ('channel.on' as const) : ('channel.off' as const)),
  })),
  {
    key: 'remarks',
    type: 'text',
    title: 'company.remarks',
    optional: true,
    sort: true,
    width: 240,
    value: (c) => c.remarks,
  },
  { key: 'createdAt', type: 'moment', title: 'user.created', sort: true, value: (c) => c.createdAt },
];

/** Lists the companies of the installation, for its super administrator. */
export function CompanyListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="company"
      route="/_main/system/company"
      list={listCompanies}
      service="org"
      title="menu.companies"
      icon={IconBuildingSkyscraper}
      texts="company"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'company.name' },
        {
          key: 'type',
          title: 'company.type',
          values: companyTypes,
          word: (type: Company['type']) => `companyType.${type}`,
        },
        {
          key: 'status',
          title: 'company.state',
          values: ['normal', 'inactive', 'locked', 'disabled', 'deactivated'],
          word: (status: Company['status']) => `companyStatus.${status}`,
        },
        { key: 'superior', kind: 'text', empties: true, title: 'channel.superior' },
        { key: 'createSubLimit', kind: 'number', title: 'channel.createSubLimit' },
        { key: 'fcsLimit', kind: 'number', title: 'channel.fcsLimit' },
        ...flags.map((key) => ({
          key,
          kind: 'flag' as const,
          title: `channel.${key}` as const,
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => (yes === 'true' ? ('channel.on' as const) : ('channel.off' as const)),
        })),
        { key: 'users', kind: 'number', title: 'organization.users' },
        { key: 'devices', kind: 'number', title: 'organization.devices' },
        { key: 'remarks', kind: 'text', empties: true, title: 'company.remarks' },
        { key: 'createdAt', kind: 'moment', title: 'user.created' },
      ]}
      label={(c) => c.name}
      phone={(c) => ({ extra: t('organization.contents', { users: count(c.users), devices: count(c.devices) }) })}
      beside={
        <>
          <MacButtons />
          <DeliveryLink />
        </>
      }
      add={{ label: 'company.add', right: 'addCompany', dialog: (close) => <CompanyDialog onClose={close} /> }}
      edit={{ right: 'editCompany', dialog: (c, close) => <EditCompanyDialog company={c} onClose={close} /> }}
      actions={[
        {
          key: 'disable',
          label: 'company.disable',
          icon: IconCircleMinus,
          right: 'disableCompany',
          menuOnly: true,
          when: closable,
          dialog: ({ record, close }) => <StatusDialog company={record!} change="disable" onClose={close} />,
        },
        {
          key: 'lock',
          label: 'company.lock',
          icon: IconLock,
          right: 'disableCompany',
          menuOnly: true,
          when: closable,
          dialog: ({ record, close }) => <StatusDialog company={record!} change="lock" onClose={close} />,
        },
        {
          key: 'enable',
          label: 'company.enable',
          icon: IconCircleCheck,
          right: 'disableCompany',
          menuOnly: true,
          when: (c) => !isOpen(c),
          dialog: ({ record, close }) => <StatusDialog company={record!} change="enable" onClose={close} />,
        },
      ]}
      drawer={{
        parameter: 'company',
        show: (id, { records, close }) => {
          const company = records.find((c) => c.id === id);
          return company && <CompanyDrawer key={id} company={company} onClose={close} />;
        },
      }}
    />
  );
}

/** Leads to the devices of the makers' delivery lists. */
function DeliveryLink() {
  const { t } = useText();
  if (!useGranted('/system/company/delivery')) return null;
  return (
    <Button
      component={Link}
      to="/system/company/delivery"
      variant="default"
      leftSection={<IconTag size={16} stroke={1.75} aria-hidden />}
    >
      {t('menu.deliveries')}
    </Button>
  );
}

/** Opens the MACs that two companies want, and the phones that none has, for the super administrator. */
function MacButtons() {
  const { t } = useText();
  const access = useAccess();
  const [open, setOpen] = useState<'disputes' | 'phones'>();
  if (!access.can('settleMac')) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconGavel size={16} stroke={1.75} aria-hidden />}
        onClick={() => setOpen('disputes')}
      >
        {t('macDispute.open')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDeviceLandlinePhone size={16} stroke={1.75} aria-hidden />}
        onClick={() => setOpen('phones')}
      >
        {t('unclaimedPhone.title')}
      </Button>
      {open === 'disputes' && <MacDisputes onClose={close} />}
      {open === 'phones' && <UnclaimedPhones onClose={close} />}
    </>
  );
}
