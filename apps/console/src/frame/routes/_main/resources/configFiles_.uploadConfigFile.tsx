import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddConfigFilePage } from '../../../../area/resource/config-file/config-file-page.tsx';

export const Route = createFileRoute('/_main/resources/configFiles_/uploadConfigFile')({
  staticData: { title: 'menu.addConfigFile', menu: '/resources/configFiles' },
  loader: () => pageTexts(),
  component: AddConfigFilePage,
});
