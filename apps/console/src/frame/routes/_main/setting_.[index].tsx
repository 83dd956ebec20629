import { createFileRoute, redirect } from '@tanstack/react-router';

/** The printed address (SHELL-02); the menu itself leads to /setting. */
export const Route = createFileRoute('/_main/setting_/index')({
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/setting', search: search as never, replace: true });
  },
});
