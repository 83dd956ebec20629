import { expect, it } from 'vitest';
import { testBody } from '../test-body.ts';
import { actions, refusalOf } from '../index.ts';

const { factoryReset } = actions;

it('waits for the end of a call unless told not to, and requires a confirmation', () => {
  expect(factoryReset!.params.parse({})).toEqual({ whenIdle: true });
  expect(factoryReset!.params.parse({ whenIdle: false })).toEqual({ whenIdle: false });
  expect(factoryReset!.isDestructive).toBe(true);
});

it('is for devices that name it as a capability, not for those that can only reboot', () => {
  const device = { model: 'X7A', firmware: null, doorCount: 0 };
  expect(refusalOf(factoryReset!, { ...device, capabilities: ['factoryReset'] })).toBeNull();
  expect(refusalOf(factoryReset!, { ...device, capabilities: ['reboot'] })?.code).toBe('unsupported');
});

it('has no result until the device is back', async () => {
  const said: string[] = [];
  let boot = '';
  await factoryReset!.device(
    { whenIdle: true },
    testBody({
      restart: (reason) => {
        boot = reason;
      },
    }),
    async ({ status }) => void said.push(status),
  );
  expect([said, boot]).toEqual([['accepted'], 'reset']);
});
