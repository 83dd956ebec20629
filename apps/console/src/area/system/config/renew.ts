import { forgetSettings, knownSettings, settings, shortName } from '../../../kit/session/settings.ts';

/**
 * Waits until the API gateway returns the saved settings, which it learns of a moment later. Also updates this page's
 * title.
 */
export async function renewSettings(): Promise<void> {
  const before = JSON.stringify(knownSettings());
  for (let tries = 0; tries < 10; tries++) {
    forgetSettings();
    if (JSON.stringify(await settings()) !== before) break;
    await new Promise((r) => {
      setTimeout(r, 100);
    });
  }
  document.title = document.title.replace(/ · [^·]*$/, ` · ${shortName()}`);
}
