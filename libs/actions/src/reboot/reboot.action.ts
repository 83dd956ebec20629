import { defineAction } from '../define.ts';
import { rebootTexts } from './reboot.text.ts';

export const reboot = defineAction({
  key: 'reboot',
  icon: 'IconPower',
  right: 'rebootDevice',
  texts: rebootTexts,
  params: (z) => z.strictObject({ whenIdle: z.boolean().default(true) }),
  example: { whenIdle: true },
  args: (z) => z.object({ whenIdle: z.boolean().optional() }),
  toArgs: ({ whenIdle }) => ({ whenIdle }),
  link:
    '`whenIdle`: not during a call; `accepted` first, done when idle; ' +
    'success comes before the device goes down, or with the next hello',
  changesDevice: true,
  answerWithinMs: 30_000,
  doneWithinMs: 300_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  device: async ({ whenIdle }, body, answer) => {
    await answer({ status: 'accepted' });
    if (whenIdle !== false) await body.idle();
    await answer({ status: 'success' });
    body.restart('reboot');
  },
});
