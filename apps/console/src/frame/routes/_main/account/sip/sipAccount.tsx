import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { SipAccountListPage } from '../../../../../area/sip/sip-account/sip-account-list-page.tsx';

export const Route = createFileRoute('/_main/account/sip/sipAccount')({
  staticData: { title: 'menu.sipAccounts', menu: '/account/sip/sipAccount' },
  validateSearch: (s: Record<string, unknown>) =>
    s as ListSearch<'status' | 'server' | 'site'> & { account?: string; kind?: string },
  loader: () => pageTexts(),
  component: SipAccountListPage,
});
