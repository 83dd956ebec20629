import { describe, expect, it } from 'vitest';
import { answerStatuses, taskStatuses, type TaskStatus } from '@carillon/contracts';
import {
  answerEvents,
  endOf,
  inFlight,
  isFinal,
  next,
  statesOf,
  taskDeviceStates,
  taskStates,
  type TaskDeviceEvent,
  type TaskEvent,
} from './task.states.ts';
import { moves, sumOf } from './task.sums.ts';

/** Written out a second time by hand, so that a change of the table is deliberate. */
const deviceTable: Record<string, string> = {
  'wait send': 'process',
  'wait cancel': 'cancel',
  'wait expire': 'timeout',
  'wait refuse': 'fail',
  'wait report': 'operated',
  'wait succeed': 'success',
  'process send': 'process',
  'process accept': 'process',
  'process progress': 'process',
  'process download': 'downloadSuccess',
  'process restart': 'process',
  'process retry': 'wait',
  'process succeed': 'success',
  'process fail': 'fail',
  'process expire': 'timeout',
  'process report': 'operated',
  'downloadSuccess send': 'downloadSuccess',
  'downloadSuccess progress': 'downloadSuccess',
  'downloadSuccess download': 'downloadSuccess',
  'downloadSuccess restart': 'downloadSuccess',
  'downloadSuccess retry': 'wait',
  'downloadSuccess succeed': 'success',
  'downloadSuccess fail': 'fail',
  'downloadSuccess expire': 'timeout',
  'downloadSuccess report': 'operated',
};
const deviceEvents: TaskDeviceEvent[] = [
  'send',
  'accept',
  'progress',
  'download',
  'restart',
  'retry',
  'succeed',
  'fail',
  'expire',
  'cancel',
  'refuse',
  'report',
];
const taskTable: Record<string, string> = {
  'wait start': 'process',
  'wait cancel': 'cancel',
  'wait stop': 'stop',
  'wait endTimeout': 'timeout',
  'process stop': 'stop',
  'process cancel': 'cancel',
  'process endRun': 'wait',
  'process endSuccess': 'success',
  'process endFail': 'fail',
  'process endTimeout': 'timeout',
  'process endMixed': 'finished',
};
const taskEvents: TaskEvent[] = [
  'start',
  'stop',
  'cancel',
  'endRun',
  'endSuccess',
  'endFail',
  'endTimeout',
  'endMixed',
];

it('no event of a table is left out below', () => {
  const eventsOf = (table: Record<TaskStatus, object>) => new Set(Object.values(table).flatMap(Object.keys));
  expect(eventsOf(taskDeviceStates)).toEqual(new Set(deviceEvents));
  expect(eventsOf(taskStates)).toEqual(new Set(taskEvents));
});

describe('the transitions of a device of a task [TASK-03/transitions]', () => {
  for (const status of taskStatuses) {
    for (const event of deviceEvents) {
      const to = deviceTable[`${status} ${event}`];
      it(to ? `${status} becomes ${to} by ${event}` : `${status} does not know ${event}`, () => {
        if (to) expect(next(taskDeviceStates, status, event)).toBe(to);
        else expect(() => next(taskDeviceStates, status, event)).toThrow(event);
      });
    }
  }

  it('never leaves a final state', () => {
    const final = taskStatuses.filter((s) => isFinal(taskDeviceStates, s));
    expect(final).toEqual(['success', 'fail', 'timeout', 'operated', 'cancel', 'stop', 'finished']);
    for (const event of deviceEvents)
      for (const status of statesOf<TaskDeviceEvent>(taskDeviceStates, event)) expect(final).not.toContain(status);
  });

  it('has an event for every answer of a device', () => {
    for (const status of answerStatuses)
      expect(statesOf<TaskDeviceEvent>(taskDeviceStates, answerEvents[status])).toContain('process');
  });

  it("occupies the device's single place from sending to the end", () => {
    expect(inFlight).toEqual(['process', 'downloadSuccess']);
    expect(next(taskDeviceStates, 'wait', 'send')).toBe('process');
  });
});

describe('the transitions of a task [TASK-03/transitions]', () => {
  for (const status of taskStatuses) {
    for (const event of taskEvents) {
      const to = taskTable[`${status} ${event}`];
      it(to ? `${status} becomes ${to} by ${event}` : `${status} does not know ${event}`, () => {
        if (to) expect(next(taskStates, status, event)).toBe(to);
        else expect(() => next(taskStates, status, event)).toThrow(event);
      });
    }
  }

  it.each([
    [{ total: 3, success: 3, fail: 0, timeout: 0 }, 'endSuccess'],
    [{ total: 3, success: 0, fail: 3, timeout: 0 }, 'endFail'],
    [{ total: 3, success: 0, fail: 0, timeout: 3 }, 'endTimeout'],
    [{ total: 3, success: 2, fail: 1, timeout: 0 }, 'endMixed'],
    [{ total: 0, success: 0, fail: 0, timeout: 0 }, 'endFail'],
  ] as const)('ends %o by %s', (sums, event) => {
    expect(endOf(sums)).toBe(event);
  });
});

it('keeps the sum of the counts when devices move', () => {
  const all: TaskStatus[] = [...taskStatuses];
  const sums = moves(['a', 'b'].flatMap((orgId) => all.flatMap((from) => all.map((to) => ({ orgId, from, to })))));
  expect([...sums.keys()]).toEqual(['a', 'b']);
  for (const sum of sums.values()) expect(Object.values(sum).reduce((a, b) => a + b, 0)).toBe(0);
  expect(Object.keys(sumOf).sort()).toEqual([...taskStatuses].sort());
});
