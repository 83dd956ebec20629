import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { EditLdapServerPage } from '../../../../../area/sip/ldap-server/ldap-server-page.tsx';

export const Route = createFileRoute('/_main/account/ldap/editServer')({
  staticData: {
    title: 'menu.editLdapServer',
    menu: '/account/ldap/ldapServer',
    tabBy: ['id'],
    example: { id: '/account/ldap/ldapServer' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditLdapServerPage,
});
