import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import { MenuPage } from '../../../area/people/menu/menu-page.tsx';

/** The path that the menu gives is /menu/index, which loses its end (spec, section 2). */
export const Route = createFileRoute('/_main/menu')({
  staticData: { title: 'menu.menus', menu: '/menu' },
  loader: () => pageTexts(),
  component: MenuPage,
});
