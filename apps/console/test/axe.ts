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

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * WCAG 2.2 AA. What passed is not told element by element, which took two thirds of its time, and no style sheet is
 * fetched anew: only the rule of a locked orientation reads them, and none of ours asks for one.
 */
const options: RunOptions = {
  preload: false,
  resultTypes: ['violations'],
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
};

/** What another scheme of colours changes of it. */
const colours: RunOptions = {
  ...options,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const modal = '[role=dialog][aria-modal=true]';
/** Rows of a list behind its third one: they are drawn by the same code, and a long list takes most of axe's time. */
const alike = '[data-id] ~ [data-id] ~ [data-id] ~ [data-id]';

export interface AxeScope {
  /** The page was looked at in another scheme already: only colours are. */
  further?: boolean;
  /** Three rows of each list stand for all, and an open dialog for the page behind it, which is a screen of its own. */
  sample?: boolean;
}

/**
 * Returns what axe finds wrong on the page. It runs in the page as its own text: its adapter for Playwright opens a
 * blank page each time and reads the text again.
 */
export async function axeFaults(page: Page, { further = false, sample = false }: AxeScope = {}): Promise<string[]> {
  if (!further) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([o, isSample, dialog, exclude]) => {
      if (!isSample) return window.axe.run(document, o);
      const isOpen = [...document.querySelectorAll(dialog)].some((el) => el.checkVisibility());
      return window.axe.run({ ...(isOpen ? { include: [[dialog]] } : {}), exclude: [[exclude]] }, o);
    },
    [further ? colours : options, sample, modal, alike] as const,
  );
  return violations.map(
    (v) =>
      `axe ${v.id}: ${v.nodes
        .slice(0, 3)
        .map((n) => `${n.target.join(' ')} ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`)
        .join(' | ')}`,
  );
}
