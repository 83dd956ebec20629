import { createRootRoute, lazyRouteComponent, Navigate, Outlet } from '@tanstack/react-router';

export const Route = createRootRoute({
  component: Outlet,
  errorComponent: lazyRouteComponent(() => import('../part/failure.tsx'), 'Failure'),
  notFoundComponent: () => <Navigate to="/404" replace />,
});
