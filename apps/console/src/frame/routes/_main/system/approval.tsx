import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ApprovalPage } from '../../../../area/task/approval/approval-page.tsx';

export const Route = createFileRoute('/_main/system/approval')({
  staticData: { title: 'menu.approval', menu: '/system/approval' },
  loader: () => pageTexts(),
  component: ApprovalPage,
});
