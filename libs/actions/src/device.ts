import type { ActionDefinition, DeviceAction } from './define.ts';
import * as registry from './registry.ts';

export type { DeviceAction, DeviceAnswer, DeviceBody } from './define.ts';

/** What a simulated device can do, by action key. Without the schema library. */
export const deviceActions: Readonly<Record<string, DeviceAction>> = Object.fromEntries(
  (Object.values(registry) as unknown as ActionDefinition[]).map(({ key, device }) => [key, device as DeviceAction]),
);
