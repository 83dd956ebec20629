import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { TwoStepPage } from '../../../../area/people/two-step/two-step-page.tsx';

export const Route = createFileRoute('/_main/system/twoStep')({
  staticData: { title: 'menu.twoStep', menu: '/system/twoStep' },
  loader: () => pageTexts(),
  component: TwoStepPage,
});
