import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { LdapAccountListPage } from '../../../../../area/sip/ldap-account/ldap-account-list-page.tsx';

export const Route = createFileRoute('/_main/account/ldap/ldapAccount')({
  staticData: { title: 'menu.ldapAccounts', menu: '/account/ldap/ldapAccount' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'server' | 'missing'> & { person?: string },
  loader: () => pageTexts(),
  component: LdapAccountListPage,
});
