import { createFileRoute } from '@tanstack/react-router';
import { TimePage } from '../../../../area/system/time/time-page.tsx';

export const Route = createFileRoute('/_main/system/time')({
  staticData: { title: 'menu.time', menu: '/system/time' },
  component: TimePage,
});
