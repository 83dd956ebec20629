import { forgetSettings, knownSettings, settings, shortName } from '../../../kit/session/settings.ts';

/**
 * What was saved, as the API gateway tells it: it hears of it a moment later. The title of this page changes with it.
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
