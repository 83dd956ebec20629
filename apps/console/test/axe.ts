import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: { run(within: Document, options: RunOptions): Promise<AxeResults> };
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

/**
 * What axe finds wrong on the page, with what stands behind an open dialog. It runs in the page itself, as its own
 * text: its adapter for Playwright opens a blank page in front of it each time, and reads the text anew. In a further
 * scheme of the same page, only what has to do with colours is looked at.
 */
export async function axeFaults(page: Page, further = false): Promise<string[]> {
  if (!further) await page.evaluate(source);
  const { violations } = await page.evaluate((o) => window.axe.run(document, o), further ? colours : options);
  return violations.map(
    (v) =>
      `axe ${v.id}: ${v.nodes
        .slice(0, 3)
        .map((n) => `${n.target.join(' ')} ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`)
        .join(' | ')}`,
  );
}
