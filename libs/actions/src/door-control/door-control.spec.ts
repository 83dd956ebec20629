import { expect, it } from 'vitest';
import { testBody } from '../test-body.ts';
import { actions, refusalOf } from '../index.ts';

const doorControl = actions['doorControl']!;
const open = (door: number) => ({ command: 'open', door });
const device = (doorCount: number | null, capabilities = ['doorControl']) => ({
  model: 'i16SV',
  firmware: null,
  capabilities,
  doorCount,
});

it.each([{}, { door: 1 }, { command: 'open' }, open(0), open(17), open(1.5), { command: 'slam', door: 1 }])(
  'is not ordered by %o: door and command are required',
  (params) => {
    expect(doorControl.params.safeParse(params).success).toBe(false);
  },
);

it('is refused for a door that the device does not have, and for any door of a device without one', () => {
  expect([1, 2, 3].map((door) => refusalOf(doorControl, device(2), open(door))?.code)).toEqual([
    undefined,
    undefined,
    'noDoor',
  ]);
  expect(refusalOf(doorControl, device(0), open(1))).toEqual({ code: 'noDoor', values: {} });
});

it('goes to a device with an unknown number of doors when its hello names the action', () => {
  expect(refusalOf(doorControl, device(null), open(9))).toBeNull();
  expect(refusalOf(doorControl, device(2, ['reboot']), open(1))?.code).toBe('unsupported');
  expect(refusalOf(doorControl, device(2, []), open(1))?.code).toBe('capabilityUnknown');
});

it('moves one door once and reports it, and reports a missing door', async () => {
  const moved: unknown[] = [];
  const said: unknown[] = [];
  const body = testBody({ moveDoor: (door, command) => moved.push([door, command]) > 0 && door < 3 });
  for (const args of [open(2), { command: 'close', door: 1 }, open(3)])
    await doorControl.device(args, body, async (answer) => void said.push(answer));
  expect(moved).toEqual([
    [2, 'open'],
    [1, 'close'],
    [3, 'open'],
  ]);
  expect(said).toEqual([{ status: 'success' }, { status: 'success' }, { status: 'fail', code: 'noDoor' }]);
});

it('lives 10 s, bypasses other commands and is momentary', () => {
  expect(doorControl).toMatchObject({ isMomentary: true, changesDevice: false, expiresAfterMs: 10_000 });
});
