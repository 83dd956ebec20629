import { lazy } from 'react';
import { IconBuildingSkyscraper } from '@tabler/icons-react';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { remote } from '../../../kit/session/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';

const CompanyDialog = lazy(() => import('./company-dialog.tsx'));
const listCompanies = remote('listCompanies', 'GET /api/f/org/company/list');

const columns: ListColumn<typeof listCompanies>[] = [
  { key: 'name', type: 'text', title: 'company.name', width: 240, fixed: true, value: (c) => c.name },
  {
    key: 'type',
    type: 'word',
    title: 'company.type',
    width: 180,
    phone: 'sub',
    value: (c) => `companyType.${c.type}`,
  },
  { key: 'users', type: 'number', title: 'organization.users', value: (c) => c.users },
  { key: 'devices', type: 'number', title: 'organization.devices', value: (c) => c.devices },
  { key: 'remarks', type: 'text', title: 'company.remarks', width: 240, value: (c) => c.remarks },
  { key: 'createdAt', type: 'moment', title: 'user.created', phone: 'extra', value: (c) => c.createdAt },
];

/** The companies of the installation, for its super administrator. */
export function CompanyListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="company"
      route="/_main/system/company"
      list={listCompanies}
      title="menu.companies"
      icon={IconBuildingSkyscraper}
      texts="company"
      columns={columns}
      label={(c) => c.name}
      phone={(c) => ({ state: t('organization.contents', { users: count(c.users), devices: count(c.devices) }) })}
      add={{ label: 'company.add', right: 'addCompany', dialog: (close) => <CompanyDialog onClose={close} /> }}
    />
  );
}
