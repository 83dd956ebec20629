import type { z } from 'zod';
import type { PermissionKey, Text } from '@carillon/contracts';

/** What a task needs to know of a device to decide whether an action fits it. */
export interface ActionDevice {
  id: string;
  mac: string;
  model: string;
  firmware: string | null;
  capabilities: readonly string[];
}

/**
 * A thing that a task makes a device do. Everything that differs from action to action is here: no other folder names
 * one, and none switches over their names.
 */
export interface ActionDefinition<P extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  /** The `action` of the command on the link. */
  key: string;
  name: Text;
  /** Of the menus and the task: what it does to the device, for the confirmation. */
  effect: Text;
  /** Tabler icon name. */
  icon: string;
  permission: PermissionKey;
  /** What a person sets when he creates the task. */
  params: P;
  /** What the form calls each of them. */
  labels: z.ZodType extends P ? Record<string, Text> : Record<keyof z.output<P> & string, Text>;
  /** What goes down to the device. */
  args: A;
  /** True: at most one such command is in flight for a device. */
  changesDevice: boolean;
  /** A command that reached an online device must be answered within this, ms. */
  answerWithinMs: number;
  /** From `accepted` to a final answer, ms. */
  doneWithinMs: number;
  /** How long a command waits for an offline device, ms. */
  expiresAfterMs: number;
  /** Devices told per second and task; 0 is unlimited. */
  perSecond: number;
  /** A reason to leave a device out, as a text, or null. Unknown counts as cannot (EDGE-08). */
  refuses(device: ActionDevice): Text | null;
  toArgs(params: z.output<P>, device: ActionDevice): z.input<A>;
}

export function defineAction<P extends z.ZodType, A extends z.ZodType>(
  definition: ActionDefinition<P, A>,
): ActionDefinition<P, A> {
  return definition;
}

/** What an action may do to the device that runs it: the device SDK gives it, a real firmware would have its own. */
export interface DeviceBody {
  /** Calls going on now; resolves when there is none. */
  idle(): Promise<void>;
  /** Goes down and comes back with the given reason in its next hello; the caller is not resumed. */
  restart(boot: 'reboot' | 'reset' | 'upgrade'): void;
  /** Waits, ms of the device's own time. */
  sleep(ms: number): Promise<void>;
}

export interface DeviceAnswer {
  status: 'accepted' | 'progress' | 'downloaded' | 'success' | 'fail';
  progress?: number;
  code?: string;
  message?: string;
  data?: unknown;
}

/** What the simulated device does with a command; answers with `answer`, at last with a final status. */
export type DeviceAction<A = Record<string, unknown>> = (
  args: A,
  body: DeviceBody,
  answer: (a: DeviceAnswer) => Promise<void>,
) => Promise<void>;
