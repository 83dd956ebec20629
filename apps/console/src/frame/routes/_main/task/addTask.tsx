import { createFileRoute } from '@tanstack/react-router';
import { AddTaskPage } from '../../../../area/device/task-order/add-task-page.tsx';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';

const asked = ['draft', 'copy', 'action', 'file'] as const;
type Asked = { [K in (typeof asked)[number]]?: string };

export const Route = createFileRoute('/_main/task/addTask')({
  staticData: { title: 'menu.addTask', menu: '/task/list' },
  validateSearch: (s: Record<string, unknown>): Asked =>
    Object.fromEntries(
      asked.flatMap((key) => {
        const value = one(s[key]);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  remountDeps: ({ search }) => asked.map((key) => search[key]).join(' '),
  loader: () => pageTexts(),
  component: AddTaskPage,
});
