import type { Page } from 'playwright-core';

/** Returns an entry of the browser's storage with the time at which it was written; null when there is none. */
export const stored = (page: Page, key: string, area: 'localStorage' | 'sessionStorage' = 'localStorage') =>
  page.evaluate(
    ([k, a]) =>
      JSON.parse(window[a as 'localStorage'].getItem(`carillon-${k}`) ?? 'null') as {
        type: string;
        value: unknown;
        time: number;
      } | null,
    [key, area] as const,
  );
