import type { ActionDefinition, DeviceAction } from './define.ts';
import * as registry from './registry.ts';

export type { DeviceAction, DeviceAnswer, DeviceBody, DeviceConfig, DeviceResource } from './define.ts';

/** Returns the actions of a simulated device with this many doors, by key. Does not use the schema library. */
export const deviceActions = (doorCount: number): Readonly<Record<string, DeviceAction>> =>
  Object.fromEntries(
    (Object.values(registry) as unknown as ActionDefinition[])
      .filter(({ needs }) => needs !== 'doors' || doorCount > 0)
      .map(({ key, device }) => [key, device as DeviceAction]),
  );
