import { createFileRoute } from '@tanstack/react-router';
import { InfoPage } from '../../info/info-page.tsx';

export const Route = createFileRoute('/_main/info')({ staticData: { title: 'info.title' }, component: InfoPage });
