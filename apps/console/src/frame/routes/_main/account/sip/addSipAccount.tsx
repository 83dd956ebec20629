import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { AddSipAccountPage } from '../../../../../area/sip/sip-account/sip-account-page.tsx';

export const Route = createFileRoute('/_main/account/sip/addSipAccount')({
  staticData: { title: 'menu.addSipAccount', menu: '/account/sip/sipAccount' },
  validateSearch: (s: Record<string, unknown>): { server?: string } => {
    const server = one(s['server']);
    return server === undefined ? {} : { server };
  },
  loader: () => pageTexts(),
  component: AddSipAccountPage,
});
