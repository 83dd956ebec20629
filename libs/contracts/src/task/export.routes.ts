import { exportCalls, exportOf, macText } from '../define/export.ts';
import { listBaselines } from './baseline.routes.ts';
import { listFreezePeriods } from './freeze-period.routes.ts';
import { listTaskDevices, listTasks } from './task.routes.ts';

export const taskExport = exportOf(
  listTasks,
  { what: 'tasks' },
  {
    status: 'word',
    number: 'number',
    name: 'text',
    action: 'word',
    type: 'word',
    progress: ['text', ({ counts: c }) => `${c.total - c.wait - c.process}/${c.total}`],
    creatorName: 'text',
    beginAt: 'moment',
    endAt: 'moment',
    durationMinutes: 'number',
    repeat: ['word', ({ schedule }) => (schedule.type === 'cycle' ? schedule.repeat.every : null)],
    timeZone: 'text',
    version: ['text', ({ versionRange: range }) => range && `${range.from} – ${range.to}`],
    /** Unknown until the task begins. */
    devices: ['number', ({ runs, counts }) => (runs === 0 ? null : counts.total)],
    dueAt: 'moment',
    runs: 'number',
    missed: 'number',
    createdAt: 'moment',
    endedAt: 'moment',
    /** In seconds. */
    time: [
      'number',
      (t) =>
        t.endedAt === null || t.startedAt === null
          ? null
          : Math.round((Date.parse(t.endedAt) - Date.parse(t.startedAt)) / 1_000),
    ],
  },
);
export const addTaskExport = taskExport.add;

export const taskDeviceExport = exportOf(
  listTaskDevices,
  { what: 'the results of a task', idOf: 'deviceId' },
  {
    name: 'text',
    mac: ['text', (d) => macText(d.mac)],
    model: 'text',
    status: 'word',
    /** In percent. */
    progress: 'number',
    reason: ['text', (d) => d.message ?? d.code],
    tryNumber: 'number',
    sentAt: 'moment',
    acceptedAt: 'moment',
    updatedAt: 'moment',
    /** In seconds. */
    time: ['number', (d) => d.durationMs && Math.round(d.durationMs / 1_000)],
  },
);
export const addTaskDeviceExport = taskDeviceExport.add;

export const freezePeriodExport = exportOf(
  listFreezePeriods,
  { what: 'freeze periods' },
  {
    name: 'text',
    state: 'word',
    sites: ['names', (f) => f.sites.map((s) => s.name)],
    beginsAt: 'moment',
    endsAt: 'moment',
    timeZone: 'text',
    updatedAt: 'moment',
  },
);
export const addFreezePeriodExport = freezePeriodExport.add;

export const baselineExport = exportOf(
  listBaselines,
  { what: 'baselines' },
  {
    name: 'text',
    firmware: ['text', (b) => b.firmware && `${b.firmware.name} ${b.firmware.version}`],
    scope: [
      'word',
      (b) => (b.mac !== null ? 'mac' : b.model !== null ? 'model' : b.siteId !== null ? 'site' : 'group'),
    ],
    scopeName: ['text', (b) => (b.mac === null ? (b.model ?? b.site?.name ?? b.groupId) : macText(b.mac))],
    window: ['text', (b) => b.from && `${b.from} – ${b.to} ${b.timeZone}`],
    state: ['word', (b) => (!b.active ? 'off' : b.held ? 'held' : (b.approval?.state ?? 'on'))],
    inScope: 'number',
    onVersion: ['number', (b) => b.counts.onVersion],
    behind: ['number', (b) => b.counts.behind],
    stuck: ['number', (b) => b.counts.stuck],
    creatorName: 'text',
    updatedAt: 'moment',
  },
);
export const addBaselineExport = baselineExport.add;

export const taskExports = exportCalls('task');
export const {
  list: listTaskExports,
  get: getTaskExport,
  file: getTaskExportFile,
  remove: deleteTaskExport,
} = taskExports;
