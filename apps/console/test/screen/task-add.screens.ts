import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { configFile, resourceFile, withConfigFile, withResourceFile } from './file.example.ts';
import { changed, device, dialog, instead, nothing, type Screen } from './screen.ts';
import { oneTask, stagedTask, taskId, waitingTask } from './task.example.ts';

const firmwareOf = (n: number, path: string, name: string, version: string, models: string[]) => ({
  id: `019a0000-0000-7000-8000-0000000000f${n}`,
  path,
  name,
  version,
  models,
  description: '',
  fileName: 'desk.bin',
  size: 16_000_000,
  sha256: 'a'.repeat(64),
  url: '/desk.bin',
  notice: { whom: 'nobody', at: null, sentAt: null },
  updatedAt: device.createdAt,
});
const withFirmware = async (p: Page) => {
  const records = [
    firmwareOf(1, 'mine', 'Desk phones of the second floor', '2.4.10', ['X7A', 'X6U']),
    firmwareOf(2, 'official', 'Door station', '2.12.18.5', ['i16SV', 'i23S', 'i33V', 'i62', 'i64', 'X303P Pro']),
  ];
  await instead(p, 'GET', '/api/f/resource/firmware/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/firmware/${one.id}`, one);
  await visit(p, `/task/addTask?action=firmwareUpgrade&file=${records[0]!.id}`);
  await p.locator('main form [role=status]').first().waitFor();
};
const copyOfTask = async (p: Page) => {
  await instead(p, 'GET', `/api/f/task/task/${taskId}`, waitingTask);
  await instead(p, 'GET', `/api/f/task/task/${taskId}/target`, {
    target: { filter: { state: ['online', 'offline'] } },
  });
  await visit(p, `/task/addTask?copy=${taskId}`);
  await p.locator('main form [role=status]').nth(1).waitFor();
};
/** Mocks a template, for an installation that may have none. */
const withTemplate = async (p: Page) => {
  const { name, action, params, schedule, timeZone, durationMinutes, sync, versionRange, rollout, pace } = stagedTask;
  const order = { action, params, schedule, timeZone, durationMinutes, sync, versionRange, rollout, pace };
  const template = { ...order, id: taskId, name, target: null, overrideFreeze: false, creatorName: 'admin' };
  await instead(p, 'GET', '/api/f/task/template/list', {
    records: [
      { ...template, updatedAt: device.createdAt, own: true },
      { ...template, id: taskId.replace(/.$/, 'e'), name: 'Every night', updatedAt: device.createdAt, own: false },
    ],
  });
  await visit(p, '/task/addTask');
  await p.locator('main form').waitFor();
};

export const taskAddScreens: Screen[] = [
  {
    name: 'task-add',
    route: '/task/addTask',
    open: async (p) => {
      await visit(p, '/task/addTask');
      await p.locator('main form').waitFor();
    },
  },
  {
    name: 'task-add-stages',
    open: async (p) => {
      await visit(p, '/task/addTask');
      await p.locator('input[name=inStages]').check();
      await p.locator('input[name=stages]').fill('50, 20');
      await p.locator('input[name=watches]').check();
      await p.locator('input[name=watchMinutes]').fill('');
      await p.locator('main button[type=submit]').click();
      await p.locator('input[name=stages][aria-invalid=true]').waitFor();
      await p.locator('input[name=unwellAt]').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'task-add-pace',
    open: async (p) => {
      await visit(p, '/task/addTask?action=reboot');
      await p.locator('input[name=retries]').check();
      await p.locator('input[name=tries]').fill('');
      await p.locator('main button[type=submit]').click();
      await p.locator('input[name=tries][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'task-templates',
    open: async (p) => {
      await withTemplate(p);
      await p.locator('main form .mantine-Button-root[data-variant=subtle]').first().click();
      await dialog(p).locator('li').nth(1).waitFor();
    },
  },
  {
    name: 'task-template-save',
    open: async (p) => {
      await oneTask(p, stagedTask);
      await instead(p, 'GET', `/api/f/task/task/${taskId}/target`, { target: { ids: [device.id] } });
      await dialog(p).locator('button:has(.tabler-icon-template)').click();
      await p.locator('input[name=templateName]').waitFor();
    },
  },
  {
    name: 'task-by-hand',
    open: async (p) => {
      await oneTask(p, stagedTask, {
        status: 'wait',
        code: null,
        message: null,
        online: false,
        tryNumber: 2,
        nextAt: '2031-03-04T02:30:00.000Z',
        tried: [{ at: '2026-11-24T09:01:00.000Z', code: 'busy', message: 'X7A' }],
      });
      await dialog(p).locator('tbody button').click();
      await p.locator('[role=dialog] [role=dialog], [role=dialog]').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-refused',
    open: async (p) => {
      await visit(p, '/task/addTask');
      await p.locator('main button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'task-add-firmware',
    open: async (p) => {
      await withFirmware(p);
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-no-firmware',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/resource/firmware/list', nothing);
      await visit(p, '/task/addTask?action=firmwareUpgrade');
      await p.locator('main form a[href$="/resources/firmwares"]').waitFor();
      await p.locator('main button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'task-add-resource',
    open: async (p) => {
      await withResourceFile(p);
      await visit(p, `/task/addTask?action=resourceUpgrade&file=${resourceFile.id}`);
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-config',
    open: async (p) => {
      await withConfigFile(p);
      await visit(p, `/task/addTask?action=configUpdate&file=${configFile.id}`);
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(2).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-config-models',
    open: async (p) => {
      await withConfigFile(p);
      await visit(p, '/task/addTask?action=configUpdate');
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).click();
      const pairs = p.locator('main form fieldset').first();
      for (const nth of [0, 1]) {
        await pairs.getByRole('combobox').nth(nth).click();
        await p.getByRole('option').first().click();
      }
      await pairs.locator('button').last().click();
      await p.locator('main form button[type=submit]').click();
      await pairs.locator('[role=alert]').first().waitFor();
    },
  },
  {
    name: 'task-copy',
    open: async (p) => {
      await copyOfTask(p);
    },
  },
  {
    name: 'task-review',
    open: async (p) => {
      await copyOfTask(p);
      await p.locator('main button[type=submit]').click();
      await p.locator('main tbody tr').nth(4).waitFor();
    },
  },
  {
    name: 'task-review-zones',
    open: async (p) => {
      await copyOfTask(p);
      const window = (zone: string, opensAt: string, closesAt: string, devices: number) => ({
        zone,
        opensAt,
        closesAt,
        devices,
      });
      const windows = [
        window('Asia/Tokyo', '2031-01-14T13:00:00.000Z', '2031-01-14T15:00:00.000Z', 120),
        window('Europe/Berlin', '2031-01-14T21:00:00.000Z', '2031-01-14T23:00:00.000Z', 1_480),
        window('America/New_York', '2031-01-15T03:00:00.000Z', '2031-01-15T05:00:00.000Z', 96),
      ];
      await changed<object>(p, '/api/f/task/task/preview', (data) => ({ ...data, windows }), 'POST');
      await p.locator('main button[type=submit]').click();
      await p.getByText('Asia/Tokyo').waitFor();
    },
  },
  {
    name: 'task-review-approval',
    open: async (p) => {
      await copyOfTask(p);
      await changed<object>(p, '/api/f/task/task/preview', (data) => ({ ...data, needsApproval: true }), 'POST');
      await p.locator('main button[type=submit]').click();
      await p.locator('main [role=note]').waitFor();
    },
  },
];
