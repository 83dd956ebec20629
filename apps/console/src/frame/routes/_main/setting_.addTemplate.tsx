import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../kit/browser/address.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { AddConfigTemplatePage } from '../../../area/device/config-template/config-template-page.tsx';

export const Route = createFileRoute('/_main/setting_/addTemplate')({
  staticData: { title: 'menu.addConfigTemplate', menu: '/setting' },
  /** `device`: the device whose settings the form begins with. */
  validateSearch: (s: Record<string, unknown>): { device?: string } => {
    const device = one(s['device']);
    return device === undefined ? {} : { device };
  },
  remountDeps: ({ search }) => search.device,
  loader: () => pageTexts(),
  component: AddConfigTemplatePage,
});
