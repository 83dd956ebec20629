import { createFileRoute } from '@tanstack/react-router';
import { StatusPage } from '../../kit/part/status-page.tsx';

export const Route = createFileRoute('/500')({
  staticData: { title: 'status.500.title' },
  component: () => <StatusPage code="500" />,
});
