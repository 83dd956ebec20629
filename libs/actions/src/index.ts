import { z } from 'zod';
import type { ActionDefinition, ActionFile, DeviceKind, Refusal } from './define.ts';
import * as registry from './registry.ts';

export * from './define.ts';
export { compareVersions } from '@carillon/contracts/version';
export { reasonText } from './reason.ts';
export { namedBy, taskNameIn, taskNames, type NamedTask } from './task-name.ts';
export { mayRetry, retryClassOf } from './retry.ts';

type Defined = (typeof registry)[keyof typeof registry];
export type ActionKey = Defined['key'];
export type ActionIcon = Defined['icon'];
type ParamOf<D> = D extends { texts: { params: infer Params } } ? keyof Params & string : never;
/** Parameters of any action. */
export type ActionParam = ParamOf<Defined>;

/** An action with its schemas. */
export type Action = Omit<ActionDefinition, 'params' | 'args'> & { params: z.ZodType; args: z.ZodType };

/** All actions, by key. */
export const actions: Readonly<Record<string, Action>> = Object.fromEntries(
  (Object.values(registry) as unknown as ActionDefinition[]).map((action) => [
    action.key,
    { ...action, params: action.params(z), args: action.args(z) },
  ]),
);

/**
 * Returns why a device cannot do an action, or null. Only its own hello says what it can do: unknown counts as unable
 * (EDGE-08). `restores`: its file is what the device had before.
 */
export function refusalOf(
  action: Action,
  device: DeviceKind,
  params: unknown = {},
  file?: ActionFile,
  restores = false,
): Refusal | null {
  if (device.capabilities.length === 0) return { code: 'capabilityUnknown', values: {} };
  if (!device.capabilities.includes(action.key)) return { code: 'unsupported', values: { model: device.model } };
  return action.refuses?.(device, params, file, restores) ?? null;
}
