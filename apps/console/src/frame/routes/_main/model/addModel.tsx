import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddModelPage } from '../../../../area/device/model/model-page.tsx';

export const Route = createFileRoute('/_main/model/addModel')({
  staticData: { title: 'menu.addModel', menu: '/model/list' },
  loader: () => pageTexts(),
  component: AddModelPage,
});
