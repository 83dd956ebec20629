import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddFcsServerPage } from '../../../../area/system/config/add-fcs-server-page.tsx';

export const Route = createFileRoute('/_main/system/config_/addFcsSipServer')({
  staticData: { title: 'menu.addFcs', menu: '/system/config' },
  loader: () => pageTexts(),
  component: AddFcsServerPage,
});
