import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import { MenuPage } from '../../../area/people/menu/menu-page.tsx';

/** The menu's own entry is /menu/index, whose end is cut in the menu (SHELL-02). */
export const Route = createFileRoute('/_main/menu')({
  staticData: { title: 'menu.menus', menu: '/menu' },
  validateSearch: (s: Record<string, unknown>) => s as { entry?: string },
  loader: () => pageTexts(),
  component: MenuPage,
});
