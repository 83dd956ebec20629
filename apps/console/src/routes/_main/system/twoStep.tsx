import { createFileRoute } from '@tanstack/react-router';
import { TwoStepPage } from '../../../two-step/two-step-page.tsx';

export const Route = createFileRoute('/_main/system/twoStep')({ staticData: { title: 'menu.twoStep', menu: '/system/twoStep' }, component: TwoStepPage });
