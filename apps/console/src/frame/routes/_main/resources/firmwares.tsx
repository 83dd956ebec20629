import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { FirmwareListPage } from '../../../../area/resource/firmware/firmware-list-page.tsx';

export const Route = createFileRoute('/_main/resources/firmwares')({
  staticData: { title: 'menu.firmware', menu: '/resources/firmwares' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'path'> & { firmware?: string },
  loader: () => pageTexts(),
  component: FirmwareListPage,
});
