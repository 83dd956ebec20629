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
    '`whenIdle`: not during a call; `accepted` first, with the code `busy` during one; ' +
    'success goes up behind the next hello, whose boot is `reboot`; docs: Restarts',
  changesDevice: true,
  answerWithinMs: 30_000,
  doneWithinMs: 300_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  backWith: ({ boot }, said) => said || boot === 'reboot' || undefined,
  device: async ({ whenIdle }, body, answer) => {
    if (whenIdle !== false) await body.idle();
    await answer({ status: 'accepted' });
    // Its success is sent when the device is back.
    body.restart('reboot');
  },
});
