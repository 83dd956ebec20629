import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { LdapServerListPage } from '../../../../../area/sip/ldap-server/ldap-server-list-page.tsx';

export const Route = createFileRoute('/_main/account/ldap/ldapServer')({
  staticData: { title: 'menu.ldapServers', menu: '/account/ldap/ldapServer' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'enabled' | 'security' | 'cycle'> & { ldap?: string },
  loader: () => pageTexts(),
  component: LdapServerListPage,
});
