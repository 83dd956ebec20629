import { createFileRoute } from '@tanstack/react-router';
import { EmbeddedPage } from '../../../../area/people/menu/embedded-page.tsx';

export const Route = createFileRoute('/_main/myiframe/$routerPath')({
  staticData: { title: 'menuAdmin.embedded', example: { routerPath: '/menu' } },
  component: EmbeddedPage,
});
