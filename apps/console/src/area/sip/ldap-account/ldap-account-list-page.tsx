import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBook2, IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { ldapServerNamesQuery } from '../ldap-server/ldap-server.calls.ts';
import { listLdapAccounts } from './ldap-account.calls.ts';

const PhonebookDialog = lazy(() => import('./phonebook-dialog.tsx'));

const columns: ListColumn<typeof listLdapAccounts>[] = [
  { key: 'name', type: 'text', title: 'ldapAccount.name', width: 170, sort: true, fixed: true, value: (a) => a.name },
  {
    key: 'number',
    type: 'code',
    title: 'ldapAccount.number',
    width: 130,
    sort: true,
    phone: 'sub',
    value: (a) => a.number,
  },
  { key: 'mailbox', type: 'text', title: 'ldapAccount.mailbox', width: 186, sort: true, value: (a) => a.mailbox },
  {
    key: 'department',
    type: 'text',
    title: 'ldapAccount.department',
    width: 150,
    sort: true,
    phone: 'extra',
    value: (a) => a.department,
  },
  {
    key: 'supervisor',
    type: 'text',
    title: 'ldapAccount.supervisor',
    width: 160,
    sort: true,
    value: (a) => a.supervisor,
  },
  {
    key: 'adAccount',
    type: 'code',
    title: 'ldapAccount.adAccount',
    optional: true,
    width: 150,
    sort: true,
    value: (a) => a.adAccount,
  },
  {
    key: 'server',
    type: 'text',
    title: 'ldapAccount.server',
    width: 160,
    sort: true,
    optional: true,
    value: (a) => a.server.name,
  },
  {
    key: 'missing',
    type: 'word',
    title: 'ldapAccount.state',
    width: 140,
    sort: true,
    live: true,
    phone: 'state',
    words: 'missing',
    value: (a) => (a.missing ? 'ldapAccount.missing' : 'ldapAccount.present'),
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (a) => a.updatedAt },
];

/** Lists the accounts that were read from directories and that phones load (ACC-05). */
export function LdapAccountListPage() {
  const { t } = useText();
  const access = useAccess();
  const seesServers = useGranted('/account/ldap/ldapServer');
  const seesDevices = useGranted('/device/list');
  const servers = useQuery(ldapServerNamesQuery()).data;
  const [phonebook, setPhonebook] = useState(false);
  return (
    <>
      <ListPage
        name="ldapAccount"
        route="/_main/account/ldap/ldapAccount"
        list={listLdapAccounts}
        service="provisioning"
        title="menu.ldapAccounts"
        icon={IconBook2}
        texts="ldapAccount"
        columns={columns}
        filters={[
          {
            key: 'server',
            title: 'ldapAccount.server',
            options: (servers ?? []).map((s) => ({ value: s.id, label: s.name })),
          },
          {
            key: 'missing',
            title: 'ldapAccount.state',
            values: ['false', 'true'],
            word: (value: 'true' | 'false') => (value === 'true' ? 'ldapAccount.missing' : 'ldapAccount.present'),
          },
          { key: 'name', kind: 'text', title: 'ldapAccount.name' },
          { key: 'number', kind: 'text', empties: true, title: 'ldapAccount.number' },
          { key: 'mailbox', kind: 'text', empties: true, title: 'ldapAccount.mailbox' },
          { key: 'department', kind: 'text', empties: true, title: 'ldapAccount.department' },
          { key: 'supervisor', kind: 'text', empties: true, title: 'ldapAccount.supervisor' },
          { key: 'adAccount', kind: 'text', empties: true, title: 'ldapAccount.adAccount' },
          { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
        ]}
        label={(a) => a.name}
        drawer={{ parameter: 'person' }}
        primary={
          seesDevices && (
            <Button
              variant="default"
              leftSection={<IconPhone size={15} stroke={1.75} />}
              onClick={() => setPhonebook(true)}
            >
              {t('phonebook.open')}
            </Button>
          )
        }
        {...(seesServers && access.can('addLdapServer') && servers?.length === 0
          ? {
              emptyAction: (
                <Button component={Link} to="/account/ldap/addServer">
                  {t('ldapServer.add')}
                </Button>
              ),
            }
          : {})}
      />
      {phonebook && <PhonebookDialog onClose={() => setPhonebook(false)} />}
    </>
  );
}
