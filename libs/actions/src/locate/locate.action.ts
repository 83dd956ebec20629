import { defineAction } from '../define.ts';
import { locateTexts } from './locate.text.ts';

export const locate = defineAction({
  key: 'locate',
  icon: 'IconBellRinging',
  right: 'locateDevice',
  texts: locateTexts,
  params: (z) => z.strictObject({ seconds: z.int().min(5).max(120).default(30) }),
  example: { seconds: 5 },
  args: (z) => z.object({ seconds: z.int().min(5).max(120) }),
  toArgs: ({ seconds }) => ({ seconds }),
  link: 'blinks and rings for so long; success as soon as it does; a second one prolongs it, and a restart ends it',
  changesDevice: false,
  answerWithinMs: 30_000,
  doneWithinMs: 30_000,
  // The user who looks for the device stands near it now.
  expiresAfterMs: 10 * 60_000,
  perSecond: 0,
  device: async ({ seconds }, body, answer) => {
    body.show('blinking', seconds * 1_000);
    await answer({ status: 'success' });
  },
});
