import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import { AddConfigTemplatePage } from '../../../area/device/config-template/config-template-page.tsx';

export const Route = createFileRoute('/_main/setting_/addTemplate')({
  staticData: { title: 'menu.addConfigTemplate', menu: '/setting' },
  loader: () => pageTexts(),
  component: AddConfigTemplatePage,
});
