import { defineAction } from '../define.ts';
import { doorControlTexts, doorOrder } from './door-control.text.ts';

export const doorControl = defineAction({
  key: 'doorControl',
  icon: 'IconDoor',
  right: 'controlDoor',
  texts: doorControlTexts,
  params: (z) => z.strictObject({ command: z.enum(['open', 'close']), door: z.int().min(1).max(16) }),
  example: { command: 'open', door: 1 },
  orders: ({ command, door }) => doorOrder(command, door),
  args: (z) => z.object({ door: z.int().min(1).max(16), command: z.enum(['open', 'close']) }),
  toArgs: ({ door, command }) => ({ door, command }),
  link:
    'lives at most 10 s, is never kept for an offline device and is told once; gateway and device both check the ' +
    'time; success when the door was moved; fails with `clock`, `expired` or `noDoor`',
  changesDevice: false,
  needs: 'doors',
  isMomentary: true,
  answerWithinMs: 10_000,
  doneWithinMs: 10_000,
  // docs/device-link.md: latest time after the order.
  expiresAfterMs: 10_000,
  perSecond: 0,
  refuses: ({ doorCount }, { door }) =>
    doorCount !== null && door > doorCount ? { code: 'noDoor', values: {} } : null,
  device: ({ door, command }, body, answer) =>
    answer(body.moveDoor(door, command) ? { status: 'success' } : { status: 'fail', code: 'noDoor' }),
});
