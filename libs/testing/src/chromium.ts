import { existsSync } from 'node:fs';

/**
 * The headless shell, without the windows that take two fifths of Chromium's CPU time per visit; the whole browser when
 * that package is missing.
 */
const headlessShell = '/usr/bin/chromium-headless-shell';
const executablePath = existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium';
/**
 * Playwright's own list, which this flag replaces, and the two pages of the address bar's popup: each window draws them
 * again, for two fifths of Chromium's CPU time.
 */
const withoutFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A process kept for a visit that never comes.
  'SpareRendererForSitePerProcess',
];
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // Playwright's own two, which this flag replaces, and a network service without a process of its own.
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,NetworkServiceInProcess2',
  // A page lives for a second, so optimizing its code costs more than it saves (docs/adr/0038-two-sets.md).
  '--js-flags=--no-opt --no-maglev',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/** Options with which every test starts Chromium. */
export const chromiumOptions = { executablePath, args };
