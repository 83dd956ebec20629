import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import { MenuPage } from '../../../area/people/menu/menu-page.tsx';

/** The printed address (SHELL-02); the menu itself leads to /menu. */
export const Route = createFileRoute('/_main/menu_/index')({
  staticData: { title: 'menu.menus', menu: '/menu' },
  validateSearch: (s: Record<string, unknown>) => s as { entry?: string },
  loader: () => pageTexts(),
  component: MenuPage,
});
