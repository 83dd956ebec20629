import { createRootRoute, Navigate, Outlet } from '@tanstack/react-router';
import { Failure } from '../part/failure.tsx';

export const Route = createRootRoute({
  component: Outlet,
  errorComponent: ({ error }) => <Failure error={error} />,
  notFoundComponent: () => <Navigate to="/404" replace />,
});
