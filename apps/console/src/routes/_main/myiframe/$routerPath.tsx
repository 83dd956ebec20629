import { createFileRoute } from '@tanstack/react-router';
import { EmbeddedPage } from '../../../menu/embedded-page.tsx';

export const Route = createFileRoute('/_main/myiframe/$routerPath')({
  staticData: { title: 'menuAdmin.embedded' },
  component: EmbeddedPage,
});
