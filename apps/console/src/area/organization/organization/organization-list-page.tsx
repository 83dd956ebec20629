import { IconArrowsTransferDown, IconBuilding } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { listOrganizations, type Organization } from './organization.calls.ts';

const dialogs = () => import('./organization-dialogs.tsx');
const OrganizationDialog = lazy(() => dialogs().then((file) => ({ default: file.OrganizationDialog })));
const TransferDialog = lazy(() => dialogs().then((file) => ({ default: file.TransferDialog })));
const DeleteOrganization = lazy(() => dialogs().then((file) => ({ default: file.DeleteOrganization })));

const columns: ListColumn<typeof listOrganizations>[] = [
  { key: 'name', type: 'text', title: 'organization.name', sort: true, fixed: true, value: (o) => o.name },
  {
    key: 'description',
    type: 'text',
    title: 'organization.description',
    sort: true,
    width: 320,
    phone: 'sub',
    value: (o) => o.description,
  },
  {
    key: 'users',
    type: 'number',
    title: 'organization.users',
    sort: true,
    live: true,
    value: (o) => o.users,
    show: (o) => (
      <Link to="/system/users" search={{ orgId: [o.id] } as never}>
        {count(o.users)}
      </Link>
    ),
  },
  { key: 'devices', type: 'number', title: 'organization.devices', sort: true, live: true, value: (o) => o.devices },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, phone: 'extra', value: (o) => o.updatedAt },
];

/** Lists the organizations of the company with their users and devices (ORG-01). */
export function OrganizationListPage() {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['organization'] });
    await client.invalidateQueries({ queryKey: ['session', 'organizations'] });
  };
  const dialog = (organization: Organization | undefined, close: () => void) => (
    <OrganizationDialog organization={organization} onDone={changed} onClose={close} />
  );
  const transfer = (organization: Organization, close: () => void) => (
    <TransferDialog organization={organization} onDone={changed} onClose={close} />
  );
  return (
    <ListPage
      name="organization"
      route="/_main/system/organization"
      list={listOrganizations}
      service="org"
      title="menu.organizations"
      icon={IconBuilding}
      texts="organization"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'organization.name' },
        { key: 'description', kind: 'text', empties: true, title: 'organization.description' },
        { key: 'users', kind: 'number', title: 'organization.users' },
        { key: 'devices', kind: 'number', title: 'organization.devices' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(o) => o.name}
      phone={(o) => ({ state: t('organization.contents', { users: count(o.users), devices: count(o.devices) }) })}
      add={{ label: 'organization.add', right: 'addOrganization', dialog: (close) => dialog(undefined, close) }}
      drawer={{ parameter: 'organization' }}
      edit={{ right: 'editOrganization', dialog }}
      actions={[
        {
          key: 'transfer',
          label: 'organization.transfer',
          icon: IconArrowsTransferDown,
          right: 'transferOrganization',
          dialog: ({ record, close }) => transfer(record!, close),
        },
      ]}
      remove={{
        right: 'deleteOrganization',
        dialog: (organization, close) => (
          <DeleteOrganization
            organization={organization}
            transfer={access.can('transferOrganization') ? transfer(organization, close) : undefined}
            onClose={close}
          />
        ),
      }}
    />
  );
}
