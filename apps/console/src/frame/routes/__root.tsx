import { createRootRoute, lazyRouteComponent, Navigate, Outlet, redirect } from '@tanstack/react-router';
import { ChunkFailure } from '../../kit/part/chunk-failure.tsx';
import { isLocked } from '../../kit/session/lock.ts';

export const Route = createRootRoute({
  // While the flag is set every path leads to /lock (AUTH-09).
  beforeLoad: ({ location }) => {
    if (isLocked() && location.pathname !== '/lock')
      throw redirect({ to: '/lock', search: { to: location.href }, replace: true });
  },
  component: () => (
    <>
      <Outlet />
      <ChunkFailure />
    </>
  ),
  errorComponent: lazyRouteComponent(() => import('../../kit/part/failure.tsx'), 'Failure'),
  notFoundComponent: () => <Navigate to="/404" replace />,
});
