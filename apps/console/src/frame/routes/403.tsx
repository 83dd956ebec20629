import { createFileRoute } from '@tanstack/react-router';
import { StatusPage } from '../../kit/part/status-page.tsx';

export const Route = createFileRoute('/403')({
  staticData: { title: 'status.403.title' },
  component: () => <StatusPage code="403" />,
});
