import { createFileRoute } from '@tanstack/react-router';
import { MailServerPage } from '../../../../area/system/mail-server/mail-server-page.tsx';

export const Route = createFileRoute('/_main/system/mailServer')({
  staticData: { title: 'menu.mailServer', menu: '/system/mailServer' },
  component: MailServerPage,
});
