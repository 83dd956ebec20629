import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { AddLdapServerPage } from '../../../../../area/sip/ldap-server/ldap-server-page.tsx';

export const Route = createFileRoute('/_main/account/ldap/addServer')({
  staticData: { title: 'menu.addLdapServer', menu: '/account/ldap/ldapServer' },
  loader: () => pageTexts(),
  component: AddLdapServerPage,
});
