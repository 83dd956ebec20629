import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';
import { readAddress, writeAddress } from '../kit/browser/address.ts';
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
    /** The list of /alarm that contains the messages of a notice. */
    table?: 'device' | 'message';
  }
  interface StaticDataRouteOption {
    /** Title of the page, for its tab and the document. */
    title?: TextKey;
    /** Path of the menu entry that grants the page; absent for pages open to every session. */
    menu?: string;
    /** Search parameters that distinguish tabs (SHELL-09). */
    tabBy?: readonly string[];
    /** The lists whose first records the tests open the page with, by parameter. */
    example?: Readonly<Record<string, string>>;
  }
}
