import type { ActionDefinition } from './define.ts';
import { reboot } from './reboot/reboot.action.ts';

export * from './define.ts';

/** Every action there is, by key. */
export const actions: Record<string, ActionDefinition> = Object.fromEntries(
  [reboot as unknown as ActionDefinition].map((a) => [a.key, a]),
);
