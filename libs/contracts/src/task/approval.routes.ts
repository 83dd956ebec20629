import { z } from 'zod';
import { id, listOf, pageQuery } from '../define/list.ts';
import { route } from '../define/route.ts';
import { approvalRule, meantDevice } from './approval.schemas.ts';
import { taskRecord } from './task.schemas.ts';

export const getApprovalRule = route({
  method: 'GET',
  path: '/api/f/task/approval/rule',
  summary: 'Which tasks need approval by a second person',
  permission: 'approval',
  audit: 'none',
  response: approvalRule,
  errors: [],
});

/** Edits the rule for new tasks: existing tasks stay as they are, and pending requests wait for their answer. */
export const editApprovalRule = route({
  method: 'PUT',
  path: '/api/f/task/approval/rule',
  summary: 'Say which tasks need approval by a second person',
  permission: 'editApproval',
  audit: 'approval.edit',
  body: approvalRule,
  response: approvalRule,
  errors: ['common.fieldValue', 'approval.momentary', 'approval.actionsMissing', 'approval.narrowed'],
});

/**
 * Lists the current target: the devices to be approved before the task begins, limited to those that the caller sees.
 */
export const listMeantDevices = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/meant/list',
  summary: 'The devices that a task means now',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({ search: z.string().trim().max(128).optional(), ...pageQuery }),
  response: listOf(meantDevice),
  errors: [],
});

const answerErrors = ['approval.answered', 'approval.ownTask', 'approval.partlySeen'] as const;

/**
 * Approves a task. Requires a user who may order its action, sees all of its devices and did not create it. The task
 * runs at once or at its time; one whose time has passed runs at once, a repeating one continues at its next time. A
 * running task in stages begins its next stage.
 */
export const approveTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/approve',
  summary: 'Approve a task that waits for it',
  permission: 'approveTask',
  audit: 'task.approve',
  params: z.object({ id }),
  /** Number of devices that the user saw: another number is refused. */
  body: z.strictObject({ devices: z.int().min(0) }),
  response: taskRecord,
  errors: [...answerErrors, 'approval.changed'],
});

/** Refuses a task: it ends, and nothing more of it begins. */
export const refuseTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/refuse',
  summary: 'Refuse a task that waits for approval',
  permission: 'approveTask',
  audit: 'task.refuse',
  params: z.object({ id }),
  body: z.strictObject({ reason: z.string().trim().min(1).max(512) }),
  response: taskRecord,
  errors: answerErrors,
});
