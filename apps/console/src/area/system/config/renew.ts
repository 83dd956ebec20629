import { forgetSettings, settings, shortName, type Settings } from '../../../kit/session/settings.ts';

/** Pauses in ms, 13 s in all: the saved settings reach the API gateway as an event, late on a busy installation. */
const pauses = [100, 200, 400, 800, 1_600, 3_200, 6_400];

/** Fetches the settings until `isSaved` accepts them, and updates this page's title. */
export async function renewSettings(isSaved: (now: Settings) => boolean): Promise<void> {
  for (const pause of pauses) {
    forgetSettings();
    if (isSaved(await settings())) break;
    await new Promise((r) => {
      setTimeout(r, pause);
    });
  }
  document.title = document.title.replace(/ · [^·]*$/, ` · ${shortName()}`);
}
