import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { dialog, instead, NothingToShow, type Screen } from './screen.ts';
import {
  oneTask,
  repeatedTask,
  stagedTask,
  stageWaitTask,
  taskId,
  unwellTask,
  upgradeTask,
  waitingTask,
} from './task.example.ts';

const firstTask = async (page: Page) => {
  await visit(page, '/task/list');
  await page.locator('[data-id], main h2').first().waitFor();
  if ((await page.locator('[data-id]').count()) === 0) throw new NothingToShow('there is no task');
  await page.locator('[data-id] [data-name], [data-id] button').first().click();
  await page.getByRole('dialog').getByRole('progressbar').waitFor();
};
/** The same task, waiting for approval by another user. */
const askedTask = {
  ...waitingTask,
  dueAt: null,
  approval: { state: 'asked', devices: 1_240, askedAt: waitingTask.createdAt, by: null, at: null, reason: null },
};

export const taskScreens: Screen[] = [
  {
    name: 'tasks',
    route: '/task/list',
    open: async (p) => {
      await visit(p, '/task/list');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  { name: 'task-drawer', open: firstTask },
  {
    name: 'task-waiting-drawer',
    open: async (p) => {
      await oneTask(p, waitingTask);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'task-approval',
    open: async (p) => {
      await oneTask(p, askedTask);
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-approval-again',
    open: async (p) => {
      await oneTask(p, { ...repeatedTask, dueAt: null, approval: { ...askedTask.approval, devices: 1_402 } });
      await dialog(p).locator('tbody tr').nth(6).waitFor();
    },
  },
  {
    name: 'task-approval-refuse',
    open: async (p) => {
      await oneTask(p, askedTask);
      await dialog(p).locator('section').first().locator('button').last().click();
      await p.locator('textarea[name=reason]').waitFor();
    },
  },
  {
    name: 'task-approved',
    open: async (p) => {
      const approval = { ...askedTask.approval, state: 'approved', by: 'bruno.costa', at: '2026-11-24T08:30:00.000Z' };
      await oneTask(p, { ...repeatedTask, approval });
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-refused',
    open: async (p) => {
      const reason = 'The branches in the south move on Thursday. Please leave them out until then.';
      const answer = { state: 'refused', by: 'bruno.costa', at: '2026-11-24T08:30:00.000Z', reason };
      const approval = { ...askedTask.approval, ...answer };
      await oneTask(p, { ...askedTask, status: 'cancel', endedAt: answer.at, approval });
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'tasks-asked',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/task/list', { records: [askedTask], total: 1, current: 1, size: 20 });
      await visit(p, '/task/list?approval=asked');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'approval-rule',
    route: '/system/approval',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/approval/rule', { devices: 50, actions: ['firmwareUpgrade', 'reboot'] });
      await visit(p, '/system/approval');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'approval-rule-off',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/approval/rule', { devices: null, actions: [] });
      await visit(p, '/system/approval');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'task-runs-drawer',
    open: async (p) => {
      await oneTask(p, repeatedTask);
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-paused-drawer',
    open: async (p) => {
      await oneTask(p, stagedTask);
      await dialog(p).locator('[aria-current=step]').waitFor();
    },
  },
  {
    name: 'task-stage-wait-drawer',
    open: async (p) => {
      await oneTask(p, stageWaitTask);
      await dialog(p).locator('[aria-current=step]').waitFor();
    },
  },
  {
    name: 'task-unwell-drawer',
    open: async (p) => {
      await oneTask(p, unwellTask);
      await dialog(p).locator('[data-worse]').first().waitFor();
    },
  },
  {
    name: 'task-run-again',
    open: async (p) => {
      await oneTask(p, { ...repeatedTask, status: 'fail', dueAt: null });
      await dialog(p).locator('button:has(.tabler-icon-refresh)').click();
      await p.locator('[role=dialog] [role=radiogroup]').waitFor();
    },
  },
  {
    name: 'task-rollback',
    open: async (p) => {
      await instead(p, 'GET', `/api/f/task/task/${taskId}/rollback`, {
        versions: [
          {
            version: '2.12.22.2',
            model: 'X5U',
            count: 1_204,
            broken: [{ version: '2.13.0-rc1', count: 3 }],
            firmware: { id: taskId, name: 'Desk phones' },
          },
          {
            version: '2.12.16.17',
            model: 'X3U Pro',
            count: 1,
            broken: [],
            firmware: { id: taskId, name: 'Desk phones' },
          },
          { version: '2.12.1.9', model: 'X4U', count: 38, broken: [], firmware: null },
        ],
      });
      await oneTask(p, upgradeTask);
      await dialog(p).locator('button:has(.tabler-icon-arrow-back-up)').click();
      await p.locator('[role=dialog] [role=radiogroup]').waitFor();
      await p.locator('[role=dialog] [role=status] li').nth(2).waitFor();
    },
  },
];
