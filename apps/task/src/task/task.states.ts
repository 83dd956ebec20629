import type { AnswerStatus, TaskStatus } from '@carillon/contracts';

type Table<E extends string> = Record<TaskStatus, Partial<Record<E, TaskStatus>>>;

/** Events of a device of a task. */
export type TaskDeviceEvent =
  | 'send'
  | 'accept'
  | 'progress'
  | 'download'
  | 'restart'
  | 'retry'
  | 'succeed'
  | 'fail'
  | 'expire'
  | 'cancel'
  | 'refuse'
  | 'report';

/**
 * All transitions of a device of a task (TASK-03). Events that a state does not list cannot happen in it; a final state
 * lists none, so it never changes. A late answer to an abandoned command is ignored.
 */
export const taskDeviceStates: Table<TaskDeviceEvent> = {
  // The command of an earlier try may succeed while the next one is awaited. A user may report the device as done by
  // hand: before it was started, or when it no longer reports.
  wait: {
    send: 'process',
    cancel: 'cancel',
    expire: 'timeout',
    refuse: 'fail',
    report: 'operated',
    succeed: 'success',
  },
  process: {
    send: 'process',
    accept: 'process',
    progress: 'process',
    download: 'downloadSuccess',
    restart: 'process',
    retry: 'wait',
    succeed: 'success',
    fail: 'fail',
    expire: 'timeout',
    report: 'operated',
  },
  downloadSuccess: {
    send: 'downloadSuccess',
    progress: 'downloadSuccess',
    download: 'downloadSuccess',
    restart: 'downloadSuccess',
    retry: 'wait',
    succeed: 'success',
    fail: 'fail',
    expire: 'timeout',
    report: 'operated',
  },
  success: {},
  fail: {},
  timeout: {},
  operated: {},
  cancel: {},
  stop: {},
  finished: {},
};

/**
 * Events of a task. `end…` follows from the sums of its devices, see {@link endOf}; `endRun` ends a run that is not the
 * last: the task waits for its next time. The table covers one run: an ended one never changes, and a rerun is a new
 * run, which begins like the first.
 */
export type TaskEvent = 'start' | 'stop' | 'cancel' | 'endRun' | 'endSuccess' | 'endFail' | 'endTimeout' | 'endMixed';

export const taskStates: Table<TaskEvent> = {
  // It times out when its last time passed unused.
  wait: {
    start: 'process',
    cancel: 'cancel',
    stop: 'stop',
    endTimeout: 'timeout',
  },
  // Cancelling requires that nothing was sent, which the code checks by the sums.
  process: {
    stop: 'stop',
    cancel: 'cancel',
    endRun: 'wait',
    endSuccess: 'success',
    endFail: 'fail',
    endTimeout: 'timeout',
    endMixed: 'finished',
  },
  downloadSuccess: {},
  success: {},
  fail: {},
  timeout: {},
  operated: {},
  cancel: {},
  stop: {},
  finished: {},
};

/** Returns the states in which an event may happen, for `status = any(…)`. */
export function statesOf<E extends string>(table: Table<E>, event: E): TaskStatus[] {
  return (Object.keys(table) as TaskStatus[]).filter((status) => table[status][event] !== undefined);
}

/** Returns the state after an event; an impossible event is a programming error. */
export function next<E extends string>(table: Table<E>, status: TaskStatus, event: E): TaskStatus {
  const to = table[status][event];
  if (!to) throw new Error(`${event} cannot happen in ${status}`);
  return to;
}

export function isFinal(table: Record<TaskStatus, object>, status: TaskStatus): boolean {
  return Object.keys(table[status]).length === 0;
}

/** States in which the command is with its device; only one such changing command per device is allowed. */
export const inFlight: readonly TaskStatus[] = ['process', 'downloadSuccess'];

/** Event of each answer of a device. The success of a restarting command is `restart` until the device is back. */
export const answerEvents = {
  accepted: 'accept',
  progress: 'progress',
  downloaded: 'download',
  success: 'succeed',
  fail: 'fail',
} as const satisfies Record<AnswerStatus, TaskDeviceEvent>;

/** Returns how a task ends whose devices are all done. */
export function endOf(sums: { total: number; success: number; fail: number; timeout: number }): TaskEvent {
  if (sums.total > 0 && sums.success === sums.total) return 'endSuccess';
  if (sums.fail === sums.total) return 'endFail';
  if (sums.timeout === sums.total) return 'endTimeout';
  return 'endMixed';
}
