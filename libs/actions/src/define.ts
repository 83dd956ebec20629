import type { z } from 'zod';
import type { PermissionKey, Text } from '@carillon/contracts';

/** What decides whether a device can do an action: the same for all devices that say the same of themselves. */
export interface DeviceKind {
  model: string;
  firmware: string | null;
  /** What the device's own hello named; empty until it has said one. */
  capabilities: readonly string[];
}

/** A device that an action goes to. */
export interface ActionDevice extends DeviceKind {
  id: string;
  mac: string;
}

/** What fills the placeholders of a reason. */
export type ReasonValues = Readonly<Record<string, string | number>>;

/** Why a device is left out: a code, told to each reader in their own language. */
export interface Refusal<Code extends string = string> {
  code: Code;
  values: ReasonValues;
}

/** The words of an action, in four languages. */
export interface ActionTexts<Param extends string = string, Code extends string = string> {
  name: Text;
  /** What it does to the device, for the confirmation. */
  effect: Text;
  /** The right to do it, as the tree of rights calls it. */
  right: Text;
  /** What the form and the operation log call each parameter. */
  params: Readonly<Record<Param, Text>>;
  /** The action's own reasons to leave a device out. */
  refusals: Readonly<Record<Code, Text>>;
}

/** The schema library is given and not imported: a simulated device knows the actions without its 18 MB. */
type Schemas = typeof z;

/**
 * A thing that a task makes a device do. Everything that differs from action to action is here: no other folder names
 * one, and none switches over their names.
 */
export interface ActionDefinition<
  Key extends string = string,
  Icon extends string = string,
  P extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  Code extends string = string,
> {
  /** The `action` of the command on the link, and the capability that a device's hello names. */
  key: Key;
  /** The component of `@tabler/icons-react`; one that is not there does not compile in the console. */
  icon: Icon;
  right: PermissionKey;
  texts: ActionTexts<z.ZodType extends P ? string : keyof z.output<P> & string, Code>;
  /** What a person sets when they create the task. */
  params(schemas: Schemas): P;
  /** Parameters that are right: tests order the action with them. */
  example: z.input<P>;
  /** What goes down to the device. */
  args(schemas: Schemas): A;
  toArgs(params: z.output<P>, device: ActionDevice): z.input<A>;
  /** What a device has to do with it, for docs/device-link.md. */
  link: string;
  /** True: at most one such command is in flight for a device. False: it passes them. */
  changesDevice: boolean;
  /** A command that reached an online device must be answered within this, ms. */
  answerWithinMs: number;
  /** From `accepted` to a final answer, ms. */
  doneWithinMs: number;
  /** How long a command waits for an offline device, ms. */
  expiresAfterMs: number;
  /** Devices told per second and task; 0 is unlimited. */
  perSecond: number;
  /** A further reason to leave out a device that says it is capable, or null. */
  refuses?(device: DeviceKind): Refusal<Code> | null;
  /** What the simulated device does with the command. */
  device(...given: Parameters<DeviceAction<z.output<A>>>): Promise<void>;
}

export function defineAction<
  const Key extends string,
  const Icon extends string,
  P extends z.ZodType,
  A extends z.ZodType,
  Code extends string,
>(definition: ActionDefinition<Key, Icon, P, A, Code>): ActionDefinition<Key, Icon, P, A, Code> {
  return definition;
}

/** What an action may do to the simulated device that runs it; a real firmware has its own. */
export interface DeviceBody {
  /** Calls going on now; resolves when there is none. */
  idle(): Promise<void>;
  /** Goes down and comes back with the given reason in its next hello; the caller is not resumed. */
  restart(boot: 'reboot' | 'reset' | 'upgrade'): void;
  /** Waits, ms of the device's own time. */
  sleep(ms: number): Promise<void>;
  /** What somebody beside the device sees for so long, ms: the simulator's list of devices has it. Lost by a restart. */
  show(sight: string, forMs: number): void;
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
