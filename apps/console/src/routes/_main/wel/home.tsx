import { createFileRoute } from '@tanstack/react-router';
import { HomePage } from '../../../home/home-page.tsx';

export const Route = createFileRoute('/_main/wel/home')({ staticData: { title: 'menu.home', menu: '/wel/home' }, component: HomePage });
