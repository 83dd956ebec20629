import type { TaskRecord } from '@carillon/contracts';

/** Whether a second person must still answer; a task that has ended waits for nobody. */
export const waitsForApproval = (task: TaskRecord): boolean =>
  task.approval?.state === 'asked' && (task.status === 'wait' || stageWaits(task));

/** Whether a running task's next stage waits for the answer. */
export const stageWaits = ({ approval, status }: TaskRecord): boolean =>
  approval?.state === 'asked' && status === 'process';
