import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { OperationLogPage } from '../../../../area/system/log/operation-log-page.tsx';

export const Route = createFileRoute('/_main/system/operationLog')({
  staticData: { title: 'menu.operationLog', menu: '/system/operationLog' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'id' | 'log'>,
  loader: () => pageTexts(),
  component: OperationLogPage,
});
