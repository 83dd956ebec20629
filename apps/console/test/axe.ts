import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: {
      run(within: Document | { include?: string[][]; exclude: string[][] }, options: RunOptions): Promise<AxeResults>;
    };
  }
}

/** axe's source text, for `addInitScript` of a context whose pages are all checked. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * WCAG 2.2 AA. Passed elements are not listed, which took two thirds of the time, and style sheets are not fetched
 * again: only the rule about locked orientation needs them, and no page of ours locks it.
 */
const options: RunOptions = {
  preload: false,
  resultTypes: ['violations'],
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
};

/** The rules whose result depends on the colour scheme. */
const colours: RunOptions = {
  ...options,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const modal = '[role=dialog][aria-modal=true]';
/** Rows of a list after the third: the same code renders them, and a long list takes most of axe's time. */
const alike = '[data-id] ~ [data-id] ~ [data-id] ~ [data-id]';

export interface AxeScope {
  /** The page was already checked in another scheme: only check colours. */
  further?: boolean;
  /** Check three rows of each list, and only an open dialog, because the page behind it is a separate screen. */
  sample?: boolean;
  /** Selector of what is left out, for example rows that an open panel covers in part. */
  without?: string;
}

/**
 * Returns axe's findings on the page. axe is injected as source text unless the page has it, because its adapter for
 * Playwright opens a blank page each time and reads the text again.
 */
export async function axeFaults(
  page: Page,
  { further = false, sample = false, without }: AxeScope = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    ([o, isSample, dialog, exclude, covered]) => {
      if (covered !== undefined) return window.axe.run({ exclude: [[covered]] }, o);
      if (!isSample) return window.axe.run(document, o);
      const isOpen = [...document.querySelectorAll(dialog)].some((el) => el.checkVisibility());
      return window.axe.run({ ...(isOpen ? { include: [[dialog]] } : {}), exclude: [[exclude]] }, o);
    },
    [further ? colours : options, sample, modal, alike, without] as const,
  );
  return violations.map(
    (v) =>
      `axe ${v.id}: ${v.nodes
        .slice(0, 3)
        .map((n) => `${n.target.join(' ')} ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`)
        .join(' | ')}`,
  );
}
