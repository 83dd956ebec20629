import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { device, instead, nothing } from './screen.ts';

export const taskId = '019a0000-0000-7000-8000-0000000000a1';
export const countsOf = (success: number, fail: number) => ({
  total: success + fail,
  success,
  fail,
  timeout: 0,
  cancel: 0,
  process: 0,
  wait: 0,
});
/** A monthly task that has not begun. */
export const waitingTask = {
  id: taskId,
  number: 41,
  name: 'Locate the phones of the second floor',
  action: 'locate',
  type: 'cycle',
  status: 'wait',
  params: { seconds: 60 },
  file: null,
  files: [],
  counts: countsOf(0, 0),
  schedule: {
    type: 'cycle',
    begin: '2031-01-01T02:30',
    end: '2032-01-01T02:30',
    repeat: { every: 'monthWeekday', ordinal: 2, weekday: 2 },
  },
  timeZone: 'Europe/Berlin',
  durationMinutes: 90,
  sync: 20,
  versionRange: { from: '2.10.1', to: '2.12.1' },
  beginAt: '2031-01-14T01:30:00.000Z',
  endAt: '2031-12-09T01:30:00.000Z',
  runs: 0,
  dueAt: '2031-01-14T01:30:00.000Z',
  missed: 0,
  windowEndsAt: null,
  rollout: null,
  stage: 1,
  planned: null,
  nextStageAt: null,
  pausedAt: null,
  pausedFor: null,
  naming: null,
  health: null,
  overrideFreeze: false,
  approval: null,
  pace: null,
  devices: 12,
  waitingIdle: 0,
  creatorId: taskId,
  creatorName: 'clara.meyer',
  createdAt: '2026-11-24T08:00:00.000Z',
  startedAt: null,
  endedAt: null,
  expanded: true,
  whole: true,
};
/** The same after three runs, with one missed time. */
export const repeatedTask = {
  ...waitingTask,
  counts: countsOf(38, 2),
  runs: 3,
  missed: 1,
  startedAt: '2026-11-24T09:00:00.000Z',
  endedAt: '2026-11-24T09:01:00.000Z',
};
/** A task in stages whose first stage failed too often. */
export const stagedTask = {
  ...repeatedTask,
  name: 'Locate the phones of all branches, a few first',
  status: 'process',
  runs: 1,
  counts: countsOf(95, 5),
  endedAt: null,
  dueAt: null,
  rollout: { stages: [5, 25, 100], pauseAt: 5 },
  pace: {
    retry: { tries: 3, of: ['busy', 'timeout'], firstSeconds: 60 },
    spreadMinutes: 30,
    siteSync: 2,
    sitePerMinute: 10,
  },
  planned: 2_000,
  pausedAt: '2026-11-24T09:01:00.000Z',
  pausedFor: 'failures',
};
/** A task that waits for the time of its next stage. */
export const stageWaitTask = {
  ...stagedTask,
  rollout: { stages: [5, 25, 100], pauseAt: 5, waitMinutes: 720 },
  counts: countsOf(100, 0),
  pausedAt: null,
  pausedFor: null,
  nextStageAt: '2026-11-24T21:01:00.000Z',
};
/** A task whose changed devices fare worse than the rest. */
export const unwellTask = {
  ...stagedTask,
  rollout: { stages: [5, 25, 100], pauseAt: 5, rollback: true, health: { minutes: 30, pauseAt: 10 } },
  counts: countsOf(100, 0),
  pausedFor: 'health',
  health: {
    stage: 1,
    beganAt: '2026-11-24T09:00:00.000Z',
    endsAt: '2026-11-24T09:30:00.000Z',
    judgedUntil: null,
    found: {
      changed: { devices: 100, offline: 3, lines: 22, restarts: 14 },
      rest: { devices: 1_874, offline: 37, lines: 19, restarts: 2 },
      worse: ['lines', 'restarts'],
    },
  },
};
/** A firmware task of which some devices can be rolled back. */
export const upgradeTask = {
  ...repeatedTask,
  name: 'Desk phones to 2.14.0 in all branches',
  action: 'firmwareUpgrade',
  params: { firmwareId: taskId, differential: true, downgrade: false, whenIdle: true },
  file: { id: taskId, name: 'Desk phones', version: '2.14.0' },
  files: [],
  status: 'fail',
  runs: 1,
  dueAt: null,
};
/** Opens a task beside the list, with mocked responses. */
export const oneTask = async (p: Page, task: object, row: object = {}) => {
  const at = `/api/f/task/task/${taskId}`;
  await instead(p, 'GET', at, task);
  await instead(p, 'GET', `${at}/run/list`, {
    ...nothing,
    total: 3,
    records: ['rerun', 'runNow', 'schedule'].map((cause, n) => ({
      run: 3 - n,
      cause,
      dueAt: null,
      startedAt: `2026-11-2${4 - n}T09:00:00.000Z`,
      endedAt: `2026-11-2${4 - n}T09:01:00.000Z`,
      status: 'fail',
      counts: countsOf(38, 2),
    })),
  });
  await instead(p, 'GET', `${at}/reason/list`, {
    reasons: [{ code: 'unsupported', message: 'X7A', count: 2 }],
    others: 0,
  });
  await instead(p, 'GET', `${at}/device/list`, {
    ...nothing,
    total: 1,
    records: [
      {
        run: 3,
        deviceId: device.id,
        mac: device.mac,
        name: device.name,
        model: device.model,
        status: 'fail',
        progress: null,
        code: 'unsupported',
        codeValues: null,
        message: 'X7A',
        tryNumber: 1,
        nextAt: null,
        tried: [],
        online: true,
        sentAt: null,
        updatedAt: '2026-11-24T09:01:00.000Z',
        durationMs: null,
        ...row,
      },
    ],
  });
  await instead(p, 'GET', `${at}/meant/list`, {
    ...nothing,
    total: 3,
    records: ['Reception desk 1', 'Reception desk 2', 'Lobby'].map((name, n) => ({
      deviceId: device.id.replace(/.$/, String(n)),
      name,
      mac: device.mac.replace(/.$/, String(n)),
      model: device.model,
      firmware: n === 2 ? null : '2.12.1',
      online: n !== 2,
    })),
  });
  await visit(p, `/task/list?task=${taskId}`);
};
