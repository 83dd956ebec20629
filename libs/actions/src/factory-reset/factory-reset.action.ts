import { defineAction } from '../define.ts';
import { factoryResetTexts } from './factory-reset.text.ts';

export const factoryReset = defineAction({
  key: 'factoryReset',
  icon: 'IconRestore',
  right: 'resetDevice',
  texts: factoryResetTexts,
  params: (z) => z.strictObject({ whenIdle: z.boolean().default(true) }),
  example: { whenIdle: true },
  args: (z) => z.object({ whenIdle: z.boolean().optional() }),
  toArgs: ({ whenIdle }) => ({ whenIdle }),
  link:
    '`whenIdle`: not during a call; `accepted` first, with the code `busy` during one; the secret and the results of commands survive; ' +
    'success goes up behind the next hello, whose boot is `reset`; docs: Restarts',
  changesDevice: true,
  isDestructive: true,
  answerWithinMs: 30_000,
  doneWithinMs: 300_000,
  // After a day the device may have been set up again.
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  backWith: ({ boot }, said) => said || boot === 'reset' || undefined,
  device: async ({ whenIdle }, body, answer) => {
    if (whenIdle !== false) await body.idle();
    await answer({ status: 'accepted' });
    body.restart('reset');
  },
});
