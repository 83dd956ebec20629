import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddResourceFilePage } from '../../../../area/resource/resource-file/resource-file-page.tsx';

export const Route = createFileRoute('/_main/resources/fileLists_/uploadResources')({
  staticData: { title: 'menu.addResourceFile', menu: '/resources/fileLists' },
  loader: () => pageTexts(),
  component: AddResourceFilePage,
});
