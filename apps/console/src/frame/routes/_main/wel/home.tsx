import { createFileRoute } from '@tanstack/react-router';
import type { DeviceState } from '@carillon/contracts';
import { HomePage } from '../../../../area/home/home-page.tsx';
import { pageTexts } from '../../../../kit/text/text.ts';
import { one } from '../../../../kit/browser/address.ts';

const choices = ['all', 'online', 'offline', 'abnormal', 'notConfigured'] as const satisfies readonly (
  | DeviceState
  | 'all'
)[];

export const Route = createFileRoute('/_main/wel/home')({
  staticData: { title: 'menu.home', menu: '/wel/home' },
  validateSearch: (s: Record<string, unknown>): { state?: (typeof choices)[number]; search?: string } => {
    const state = choices.find((c) => c === one(s['state']));
    const search = one(s['search'])?.slice(0, 128);
    return { ...(state ? { state } : {}), ...(search ? { search } : {}) };
  },
  loader: () => pageTexts(),
  component: HomePage,
});
