import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { freePort } from '@carillon/devtools/free-port';
import { launch, logIn } from './lib/browser.ts';
import { up } from './lib/instance.ts';

type Lighthouse = (
  url: string,
  flags: Record<string, unknown>,
  config: unknown,
) => Promise<{
  lhr: {
    runtimeError?: { code: string; message: string };
    categories: Record<string, { score: number | null }>;
    audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
  };
}>;

/** Installed on first use, because it would double the downloads of every clone. */
async function lighthouse(): Promise<{ run: Lighthouse; desktop: unknown }> {
  const folder = join(import.meta.dirname, 'lighthouse');
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: 'inherit',
    });
  const { default: run, desktopConfig: desktop } = (await import(
    pathToFileURL(join(folder, 'node_modules/lighthouse/core/index.js')).href
  )) as { default: Lighthouse; desktopConfig: unknown };
  return { run, desktop };
}

/**
 * Chrome's trace sometimes lacks the start of the navigation. Lighthouse then has no result, and only another run
 * helps.
 */
const maxAttempts = 5;

async function audit(run: Lighthouse, url: string, port: number, config: unknown) {
  for (let attempt = 1; ; attempt++) {
    const { lhr } = await run(
      url,
      { port, logLevel: 'error', onlyCategories: [...categories], disableStorageReset: true },
      config,
    );
    if (!lhr.runtimeError) return lhr;
    if (lhr.runtimeError.code !== 'NO_NAVSTART' || attempt === maxAttempts)
      throw new Error(`${url}: ${lhr.runtimeError.message}`);
    process.stdout.write(`     ${url}: the trace has no start of the navigation; trying again\n`);
  }
}

const pages = ['/login', '/wel/home', '/device/list'] as const;
const categories = ['performance', 'accessibility'] as const;

/**
 * Runs Lighthouse with its desktop settings on the login, the home page and a list of 200 devices: cold, each page in a
 * browser that is logged in.
 */
await bench('lighthouse', async () => {
  const { run, desktop } = await lighthouse();
  const instance = await up({ devices: 200 });
  const profile = mkdtempSync(join(tmpdir(), 'carillon-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    ...launch,
    args: [...launch.args, `--remote-debugging-port=${port}`],
    locale: 'en-US',
  });
  try {
    const page = await context.newPage();
    for (const path of pages) {
      if (path === '/wel/home') {
        await logIn(page, instance);
        await page.locator('main h1').waitFor();
        await page.goto('about:blank');
      }
      const scores: Record<string, number[]> = { performance: [], accessibility: [] };
      const short = new Set<string>();
      for (let i = 0; i < runs(); i++) {
        const lhr = await audit(run, `${instance.url}${path}`, port, desktop);
        for (const c of categories) scores[c]!.push(100 * (lhr.categories[c]!.score ?? 0));
        for (const { score, title, displayValue } of Object.values(lhr.audits))
          if (score !== null && score < 0.9) short.add(displayValue ? `${title}: ${displayValue}` : title);
      }
      for (const c of categories)
        report(
          { name: `${path}, ${c}`, unit: 'of 100', value: spread(scores[c]!).median, atLeast: 95 },
          spread(scores[c]!),
        );
      for (const line of short) process.stdout.write(`     below 0.9: ${line}\n`);
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
    instance.down();
  }
});
