import type { DeviceAction } from '../define.ts';

/** Accepts, waits for the end of a call unless told not to, reports success and goes down. */
export const rebootDevice: DeviceAction<{ whenIdle?: boolean }> = async (args, body, answer) => {
  await answer({ status: 'accepted' });
  if (args.whenIdle !== false) await body.idle();
  await answer({ status: 'success' });
  body.restart('reboot');
};
