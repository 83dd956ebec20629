import type { DeviceBody } from './define.ts';

/** Creates a body that waits for nothing and does nothing, except what a test gives it. */
export const testBody = (given: Partial<DeviceBody> = {}): DeviceBody => ({
  idle: () => Promise.resolve(),
  restart: () => undefined,
  sleep: () => Promise.resolve(),
  show: () => undefined,
  load: () => Promise.resolve(null),
  loadAll: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
  read: () => Promise.resolve({ text: '' }),
  configure: () => Promise.resolve([]),
  install: () => Promise.resolve(),
  firmware: () => '1.0',
  moveDoor: () => true,
  ...given,
});
