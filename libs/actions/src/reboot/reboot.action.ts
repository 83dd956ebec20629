import { z } from 'zod';
import { defineAction } from '../define.ts';
import { rebootText } from './reboot.text.ts';

/** device-link.md, "Down": `accepted` first, success before the device goes down or with its next hello. */
export const reboot = defineAction({
  key: 'reboot',
  name: rebootText.name,
  effect: rebootText.effect,
  icon: 'power',
  permission: 'rebootDevice',
  params: z.strictObject({ whenIdle: z.boolean().default(true) }),
  labels: { whenIdle: rebootText.whenIdle },
  args: z.object({ whenIdle: z.boolean().optional() }),
  changesDevice: true,
  answerWithinMs: 30_000,
  doneWithinMs: 300_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  refuses: (device) =>
    device.capabilities.length > 0 && !device.capabilities.includes('reboot') ? rebootText.cannot : null,
  toArgs: (params) => ({ whenIdle: params.whenIdle }),
});
