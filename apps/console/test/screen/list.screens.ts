import { visit } from '../visit.ts';
import { device, dialog, instead, list, nothing, type Screen } from './screen.ts';

export const listScreens: Screen[] = [
  { name: 'list', route: '/device/list', open: (p) => list(p, '?limit=50') },
  {
    name: 'list-selected',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('thead input').click();
      await p.locator('[data-id] input').nth(1).click();
      await p.locator('main [role=region] strong').waitFor();
      await p.locator('[data-id]').nth(4).hover();
    },
  },
  {
    name: 'list-filter',
    wide: true,
    open: async (p) => {
      await visit(p, '/device/list?state=online&state=offline&search=a');
      await p.locator('thead').waitFor();
      await p.locator('[role=search] button[aria-haspopup=dialog]').first().click();
      await p.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'list-no-match',
    open: async (p) => {
      await visit(p, '/device/list?search=nothing-is-called-so&state=online');
      await p.locator('h2').waitFor();
    },
  },
  {
    name: 'list-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/list', nothing);
      await visit(p, '/device/list');
      await p.locator('main h2').waitFor();
    },
  },
  {
    name: 'list-failed',
    refused: true,
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/list', { error: 'common.invalid' }, 400);
      await visit(p, '/device/list');
      await p.locator('main [role=alert] button').waitFor({ timeout: 30_000 });
    },
  },
  {
    name: 'list-selecting',
    phone: true,
    open: async (p) => {
      await list(p);
      await p.locator('main header button').first().click();
      await p.locator('[data-id] input').nth(1).check();
      await p.locator('[data-id] input').nth(2).check();
      await p.locator('main [role=region] strong').waitFor();
    },
  },
  {
    name: 'row-menu',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('[data-id] button[aria-haspopup=menu]').nth(2).click();
      await p.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'list-views',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main nav button:has(.tabler-icon-plus)').click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'list-view-tabs',
    open: async (p) => {
      const view = (n: number, name: string, filters: object, own = true) => ({
        id: device.id.slice(0, -1) + n,
        list: 'device',
        name,
        shared: !own,
        own,
        owner: 'Clara Weber',
        state: { search: '', limit: 20, filters },
        layout: {},
      });
      const views = [
        view(1, 'Offline', { state: ['offline'] }),
        view(2, 'Needs attention in the lobby', { state: ['abnormal', 'notConfigured'] }),
        view(3, 'Reception desks of all houses', {}, false),
      ];
      await instead(p, 'GET', '/api/f/org/view', views);
      await list(p, `?state=online&state=offline&view=${views[1]!.id}`);
      await p.getByText('Needs attention in the lobby').first().waitFor();
    },
  },
  {
    name: 'list-views-managed',
    wide: true,
    open: async (p) => {
      const view = { id: device.id, list: 'device', name: 'Offline', shared: true, own: true, owner: 'Clara Weber' };
      await instead(p, 'GET', '/api/f/org/view', [
        { ...view, state: { search: '', limit: 20, filters: { state: ['offline'] } }, layout: {} },
      ]);
      await list(p);
      await p.locator('main nav button:has(.tabler-icon-settings)').click();
      await dialog(p).locator('li button').first().waitFor();
    },
  },
  {
    name: 'list-columns',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main [role=search] button[aria-haspopup=dialog]').last().click();
      await p.getByRole('dialog').locator('input').first().waitFor();
    },
  },
  {
    name: 'delete',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('thead input').click();
      await p.locator('main [role=region] button').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'export',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main header button').first().click();
      await p.locator('main [role=region] .tabler-icon-download').waitFor();
    },
  },
];
