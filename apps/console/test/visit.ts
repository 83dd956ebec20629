import type { Page } from 'playwright-core';
import { takeMocked } from './mock.ts';

declare global {
  interface Window {
    /** Ends what the walk by keyboard left in the page. */ endWatch?: (() => void) | undefined;
  }
}
/** The query cache of the console. */
interface Cache {
  removeQueries: (filter: { predicate: (query: { queryKey: readonly unknown[] }) => boolean }) => void;
  getQueryData: (key: readonly string[]) => unknown;
}
interface Fiber {
  memoizedProps: { client?: Partial<Cache> } | null;
  child: Fiber | null;
  sibling: Fiber | null;
}

/** Calls of the menu and bars, and the keys of their answers, which stay for the next screen unless a mock gave them. */
const frameCalls = [
  '/api/blade-auth/oauth/user-info',
  '/api/f/device/device/count',
  '/api/f/device/export/list',
  '/api/f/mc/menu/buttons',
  '/api/f/mc/menu/route',
  '/api/f/mc/message/notice',
  '/api/f/mc/org',
  '/api/f/notification/alarm/list',
  '/api/f/task/task/list',
];
const frameKeys = [
  'session user',
  'device count',
  'operation exports',
  'session buttons',
  'session menu',
  'message notice',
  'session organizations',
  'message openAlarms',
  'task running',
  'task last',
];
/** What was mocked for the former screen of a page. */
const mockedBefore = new WeakMap<Page, readonly RegExp[]>();

/** Returns whether a mock of this screen or the former one gives an answer of the frame. */
function isFrameMocked(page: Page): boolean {
  const mocked = takeMocked(page);
  const both = [...mocked, ...(mockedBefore.get(page) ?? [])];
  mockedBefore.set(page, mocked);
  return both.some((call) => frameCalls.some((path) => call.test(path)));
}

/** The areas that each page has loaded, for the pages in which an area is loaded once. */
const loadedAreas = new WeakMap<Page, Set<string>>();
/** Lets {@link visit} load each area of this page once and go through the others inside the loaded page. */
export const loadAreasOnce = (page: Page): void => void loadedAreas.set(page, new Set());
/** Lets the next visit load the page, for example after a failure. */
export const loadNext = (page: Page): void => loadedAreas.get(page)?.clear();

/**
 * Runs in the page: opens an address inside it. Goes through a page outside of the main layout, so that nothing of the
 * former page stays: no kept page or open drawer, and of the answers only those with the given keys. Returns false when
 * the main layout is not open.
 */
async function goInside([to, kept]: readonly [string, readonly string[]]): Promise<boolean> {
  const root = document.getElementById('root');
  const key = Object.keys(root ?? {}).find((k) => k.startsWith('__reactContainer$'));
  if (!root || key === undefined) return false;
  const cacheOf = (fiber: Fiber | null): Cache | undefined => {
    for (let at = fiber; at !== null; at = at.sibling) {
      const client = at.memoizedProps?.client;
      const found = client?.getQueryData ? (client as Cache) : cacheOf(at.child);
      if (found) return found;
    }
    return undefined;
  };
  const container = (root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key]!;
  const cache = cacheOf(container.stateNode.current);
  if (!cache) return false;
  const until = async (isTrue: () => boolean): Promise<boolean> => {
    const end = Date.now() + 5_000;
    while (!isTrue()) {
      if (Date.now() > end) return false;
      await new Promise((next) => {
        setTimeout(next, 4);
      });
    }
    return true;
  };
  history.pushState({}, '', '/403');
  if (!(await until(() => cacheOf(container.stateNode.current) === undefined))) return false;
  cache.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey.slice(0, 2).join(' ')) });
  window.endWatch?.();
  window.pressedLast = undefined;
  const between = root.querySelector('h1');
  history.pushState({}, '', to);
  // The menu may come after the page, and is part of what the keyboard reaches.
  const isWhole = () =>
    document.getElementById('main') === null || cache.getQueryData(['session', 'menu']) !== undefined;
  return until(() => between?.isConnected === false && isWhole());
}

/** Opens an address of the console, as a new load unless the page has loaded its area. */
export async function visit(page: Page, to: string): Promise<void> {
  const areas = loadedAreas.get(page);
  const area = to.split(/[/?]/, 2)[1]!;
  const kept = isFrameMocked(page) ? [] : frameKeys;
  if (areas?.has(area) === true && (await page.evaluate(goInside, [to, kept] as const))) return;
  areas?.add(area);
  await page.goto(to);
}
