import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';
import { readAddress, writeAddress } from '../kit/session/address.ts';
import type { TextKey } from '../kit/text/key.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  scrollRestoration: true,
  parseSearch: readAddress,
  stringifySearch: writeAddress,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The table of /alarm that has what a notice tells of. */
    table?: 'device' | 'message';
  }
  interface StaticDataRouteOption {
    /** Name of the page, for its tab and the document's title. */
    title?: TextKey;
    /** Path of the menu entry that grants the page; absent for what every session may see. */
    menu?: string;
    /** Search parameters that make it another tab (SHELL-09). */
    tabBy?: readonly string[];
    /** The list whose first record the tests open the page with, by parameter. */
    example?: Readonly<Record<string, string>>;
  }
}
