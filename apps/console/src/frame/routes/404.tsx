import { createFileRoute } from '@tanstack/react-router';
import { StatusPage } from '../../kit/part/status-page.tsx';

export const Route = createFileRoute('/404')({
  staticData: { title: 'status.404.title' },
  component: () => <StatusPage code="404" />,
});
