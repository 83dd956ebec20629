import type { BrowserContext, Page } from 'playwright-core';

/** A call of the page that a mock answers. */
export interface MockedCall {
  url: string;
  headers: Record<string, string>;
  /** What the server answered, for a mock that changes the answer. */
  real: unknown;
}
export interface MockedAnswer {
  status?: number;
  json: unknown;
}
interface Mock {
  method: string;
  /** Matches the path with its query. */
  call: RegExp;
  /** Whether the server is asked as well. */
  isReal: boolean;
  answer: (call: MockedCall) => MockedAnswer;
}
/** A mock as the page knows it. */
type Known = [method: string, call: string, isReal: boolean];
declare global {
  interface Window {
    mocks: readonly Known[] | Promise<readonly Known[]>;
    mocksOfPage: () => Promise<readonly Known[]>;
    answerOfMock: (index: number, call: MockedCall) => Promise<Required<MockedAnswer>>;
  }
}

const mocksOf = new WeakMap<Page, Mock[]>();
const known = (page: Page): Known[] =>
  (mocksOf.get(page) ?? []).map(({ method, call, isReal }) => [method, call.source, isReal]);

/** Runs in each page before its own code: lets mocks answer the calls that they match. */
function replaceFetch(): void {
  const { fetch } = window;
  window.mocks = window.mocksOfPage();
  window.fetch = async (asked, init) => {
    const { href, pathname, search } = new URL(asked instanceof Request ? asked.url : asked, location.href);
    if (!pathname.startsWith('/api/')) return fetch(asked, init);
    const method = init?.method ?? (asked instanceof Request ? asked.method : 'GET');
    const mocks = await window.mocks;
    const index = mocks.findLastIndex(([m, call]) => m === method && new RegExp(call).test(pathname + search));
    if (index === -1) return fetch(asked, init);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const real: unknown = mocks[index]![2] ? await (await fetch(asked, init)).json() : undefined;
    const { status, json } = await window.answerOfMock(index, { url: href, headers, real });
    init?.signal?.throwIfAborted();
    // As the browser logs a refused call.
    if (status >= 400) console.error(`Failed to load resource: the server responded with a status of ${status} ()`);
    return Response.json(json, { status });
  };
}

/**
 * Prepares the pages of a context for mocks. They replace `fetch`: Playwright's routes intercept every request in the
 * browser and disable its cache, which takes 350 ms of processor time for a screen.
 */
export async function allowMocks(context: BrowserContext): Promise<void> {
  await context.exposeBinding('mocksOfPage', ({ page }) => known(page));
  await context.exposeBinding('answerOfMock', ({ page }, index: number, call: MockedCall) => ({
    status: 200,
    ...mocksOf.get(page)![index]!.answer(call),
  }));
  await context.addInitScript(replaceFetch);
}

/** Calls that were mocked since they were last taken. */
const mocked = new WeakMap<Page, RegExp[]>();

/** Returns which calls of this page were mocked since this was last asked. */
export function takeMocked(page: Page): readonly RegExp[] {
  const calls = mocked.get(page) ?? [];
  mocked.delete(page);
  return calls;
}

async function setMocks(page: Page, mocks: Mock[]): Promise<void> {
  mocksOf.set(page, mocks);
  await page.evaluate((list) => {
    window.mocks = list;
  }, known(page));
}

/** Answers a call of this page instead of the server; the mock that is added last wins. */
export function mock(page: Page, method: string, call: RegExp, answer: Mock['answer'], isReal = false): Promise<void> {
  mocked.set(page, [...(mocked.get(page) ?? []), call]);
  return setMocks(page, [...(mocksOf.get(page) ?? []), { method, call, isReal, answer }]);
}

export async function removeMocks(page: Page): Promise<void> {
  if (mocksOf.has(page)) await setMocks(page, []);
}

/** Matches a path with any query. */
export const pathOf = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', String.raw`\.`)}(?:\\?|$)`);
