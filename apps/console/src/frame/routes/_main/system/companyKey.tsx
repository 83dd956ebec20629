import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { CompanyKeyPage } from '../../../../area/system/company-key/company-key-page.tsx';

export const Route = createFileRoute('/_main/system/companyKey')({
  staticData: { title: 'menu.companyKey', menu: '/system/companyKey' },
  loader: () => pageTexts(),
  component: CompanyKeyPage,
});
