import { expect, it } from 'vitest';
import { actions, refusalOf } from '../index.ts';

const { reboot } = actions;

it('waits for the end of a call unless told not to', () => {
  expect(reboot!.params.parse({})).toEqual({ whenIdle: true });
  expect(reboot!.params.parse({ whenIdle: false })).toEqual({ whenIdle: false });
});

it('is for every device that names it as a capability', () => {
  expect(refusalOf(reboot!, { model: 'X7A', firmware: null, capabilities: ['reboot'], doorCount: 0 })).toBeNull();
});
