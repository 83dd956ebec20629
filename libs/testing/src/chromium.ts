import { existsSync } from 'node:fs';

/**
 * The engine without the windows of a desk around it, which are two fifths of what Chromium computes for a visit and
 * which nobody sees here; the whole browser where there is no such package.
 */
const headlessShell = '/usr/bin/chromium-headless-shell';
const executablePath = existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium';
/**
 * Playwright's own list, which a second one replaces, and the two pages of the address bar's popup: drawn anew for each
 * window, for two fifths of all that Chromium computes, and seen by nobody.
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
];
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // A page lives for a second: to optimize its code costs more than it saves (docs/adr/0038-two-sets.md).
  '--js-flags=--no-opt --no-maglev',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/** How every test starts Chromium. */
export const chromiumOptions = { executablePath, args };
