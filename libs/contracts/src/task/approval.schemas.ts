import { z } from 'zod';
import { id } from '../define/list.ts';

export const approvalStates = ['asked', 'approved', 'refused'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/**
 * Which tasks of a company need approval: those with one of `actions` that target at least `devices` devices. Null:
 * none. An action for the current moment, such as opening a door, cannot be chosen because it cannot wait.
 */
export const approvalRule = z.strictObject({
  devices: z.int().min(1).max(1_000_000).nullable(),
  /** Keys of actions, such as `firmwareUpgrade`. */
  actions: z.array(z.string().min(1).max(64)).max(64),
});
export type ApprovalRule = z.output<typeof approvalRule>;

/** An approval request for a task, and its answer. */
export const taskApproval = z.object({
  state: z.enum(approvalStates),
  /** Number of devices in the request; null for a user who does not see all of them. */
  devices: z.int().nullable(),
  askedAt: z.string(),
  /** Who answered, and when; null while the request is open. */
  by: z.string().nullable(),
  at: z.string().nullable(),
  /** Reason of a refusal. */
  reason: z.string().nullable(),
});

/** A target device of a task that has no row yet. */
export const meantDevice = z
  .object({
    deviceId: id,
    name: z.string(),
    mac: z.string(),
    model: z.string(),
    firmware: z.string().nullable(),
    online: z.boolean(),
  })
  .meta({ id: 'MeantDevice' });
