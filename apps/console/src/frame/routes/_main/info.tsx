import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import { InfoPage } from '../../../area/people/info/info-page.tsx';

export const Route = createFileRoute('/_main/info')({
  staticData: { title: 'info.title' },
  loader: () => pageTexts(),
  component: InfoPage,
});
