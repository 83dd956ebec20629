import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { SipServerListPage } from '../../../../../area/sip/sip-server/sip-server-list-page.tsx';

export const Route = createFileRoute('/_main/account/sip/sipServer')({
  staticData: { title: 'menu.sipServers', menu: '/account/sip/sipServer' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'transport'> & { server?: string },
  loader: () => pageTexts(),
  component: SipServerListPage,
});
