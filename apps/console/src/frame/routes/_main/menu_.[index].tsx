import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_main/menu_/index')({
  beforeLoad: () => {
    throw redirect({ to: '/menu', replace: true });
  },
});
