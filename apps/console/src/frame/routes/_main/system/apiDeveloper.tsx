import { createFileRoute } from '@tanstack/react-router';
import { ApiDeveloperPage } from '../../../../area/system/api-developer/api-developer-page.tsx';

export const Route = createFileRoute('/_main/system/apiDeveloper')({
  staticData: { title: 'menu.apiDeveloper', menu: '/system/apiDeveloper' },
  component: ApiDeveloperPage,
});
