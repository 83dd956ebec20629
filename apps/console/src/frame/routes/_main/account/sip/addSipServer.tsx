import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { AddSipServerPage } from '../../../../../area/sip/sip-server/sip-server-page.tsx';

export const Route = createFileRoute('/_main/account/sip/addSipServer')({
  staticData: { title: 'menu.addSipServer', menu: '/account/sip/sipServer' },
  loader: () => pageTexts(),
  component: AddSipServerPage,
});
