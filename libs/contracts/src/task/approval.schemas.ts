import { z } from 'zod';
import { id } from '../define/list.ts';

export const approvalStates = ['asked', 'approved', 'refused'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/**
 * Which tasks of a company need a second person: those of one of `actions` that mean at least `devices` devices. Null:
 * none. What is for its moment alone, as the opening of a door, cannot be chosen: it cannot wait.
 */
export const approvalRule = z.strictObject({
  devices: z.int().min(1).max(1_000_000).nullable(),
  /** Keys of actions, as `firmwareUpgrade`. */
  actions: z.array(z.string().min(1).max(64)).max(64),
});
export type ApprovalRule = z.output<typeof approvalRule>;

/** What a second person is asked, or has said, about a task. */
export const taskApproval = z.object({
  state: z.enum(approvalStates),
  /** How many devices it was asked for; null for who does not see all of them. */
  devices: z.int().nullable(),
  askedAt: z.string(),
  /** Who answered, and when; null while it is asked. */
  by: z.string().nullable(),
  at: z.string().nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
});

/** A device that a task means, before it has a row of it. */
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
