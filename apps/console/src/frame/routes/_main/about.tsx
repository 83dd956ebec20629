import { createFileRoute } from '@tanstack/react-router';
import { AboutPage } from '../../../area/system/about/about-page.tsx';

export const Route = createFileRoute('/_main/about')({ staticData: { title: 'menu.about' }, component: AboutPage });
