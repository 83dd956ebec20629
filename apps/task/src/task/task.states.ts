import type { AnswerStatus, TaskStatus } from '@carillon/contracts';

type Table<E extends string> = Record<TaskStatus, Partial<Record<E, TaskStatus>>>;

/** What can happen to one device of a task. */
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
 * The transitions of one device of a task, whole (TASK-03). What a state does not name cannot happen in it; a final
 * state names nothing, so it never changes. A late answer of a device to a command that was given up is history.
 */
export const taskDeviceStates: Table<TaskDeviceEvent> = {
  // What it was told in an earlier try may succeed while it waits for the next one. Somebody says that it was done by
  // hand: before the device was told, or when that reports no further.
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
 * What can happen to a task. `end…` follows from the sums of its devices, see {@link endOf}; `endRun` is the end of a
 * run that is not the last: the task waits for its next time. The table is of one run: what has ended never changes,
 * and a re-run is another run, which begins as the first one did.
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
  // Cancelling is for a task of which nothing was sent: the sums decide that, where it is done.
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

/** States in which an event may happen, for `status = any(…)`. */
export function statesOf<E extends string>(table: Table<E>, event: E): TaskStatus[] {
  return (Object.keys(table) as TaskStatus[]).filter((status) => table[status][event] !== undefined);
}

/** The state after an event; an event that cannot happen is a mistake in the program. */
export function next<E extends string>(table: Table<E>, status: TaskStatus, event: E): TaskStatus {
  const to = table[status][event];
  if (!to) throw new Error(`${event} cannot happen in ${status}`);
  return to;
}

export function isFinal(table: Record<TaskStatus, object>, status: TaskStatus): boolean {
  return Object.keys(table[status]).length === 0;
}

/** A command in one of these is with its device; of those that change it only one at a time. */
export const inFlight: readonly TaskStatus[] = ['process', 'downloadSuccess'];

/** What a device's answer means. The success of what takes it down is `restart` until it is back. */
export const answerEvents = {
  accepted: 'accept',
  progress: 'progress',
  downloaded: 'download',
  success: 'succeed',
  fail: 'fail',
} as const satisfies Record<AnswerStatus, TaskDeviceEvent>;

/** How a task whose devices are all done ends. */
export function endOf(sums: { total: number; success: number; fail: number; timeout: number }): TaskEvent {
  if (sums.total > 0 && sums.success === sums.total) return 'endSuccess';
  if (sums.fail === sums.total) return 'endFail';
  if (sums.timeout === sums.total) return 'endTimeout';
  return 'endMixed';
}
