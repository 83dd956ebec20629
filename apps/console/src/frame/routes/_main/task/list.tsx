import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { TaskListPage } from '../../../../area/task/task/task-list-page.tsx';

export const Route = createFileRoute('/_main/task/list')({
  staticData: { title: 'menu.tasks', menu: '/task/list' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'status' | 'action'>,
  loader: () => pageTexts(),
  component: TaskListPage,
});
