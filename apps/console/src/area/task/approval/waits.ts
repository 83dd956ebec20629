import type { TaskRecord } from '@carillon/contracts';

/** A second person is still to answer: what ended meanwhile waits for nobody. */
export const waitsForApproval = (task: TaskRecord): boolean =>
  task.approval?.state === 'asked' && (task.status === 'wait' || stageWaits(task));

/** Its run goes on, and its next stage waits for the answer. */
export const stageWaits = ({ approval, status }: TaskRecord): boolean =>
  approval?.state === 'asked' && status === 'process';
