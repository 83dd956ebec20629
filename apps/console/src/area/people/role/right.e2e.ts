import { expect, it } from 'vitest';
import { actions } from '@carillon/actions';
import {
  activateByPassword,
  addApiToken,
  addCompany,
  addMenu,
  addSupportAccess,
  addTask,
  addUser,
  cancelTask,
  closeApiAccess,
  deleteMenus,
  deleteUsers,
  disableUsers,
  editApprovalRule,
  endSupportAccess,
  getDeviceConfig,
  listDevices,
  menuTree,
  nouns,
  listChannels,
  openApiAccess,
  permissionKeys,
  type listSupportAccess,
  type MenuDefinition,
  type NounDefinition,
  type RouteOutput,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { logIn, type Platform } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';
import { add, expectedOf, go, row, rows, seen, type Element, type Place } from '../../../../test/elements.ts';
import { exampleOf } from '../../../../test/example.ts';
import { placeOf } from '../../../../test/noun-elements.ts';
import { someone } from '../../../../test/person.ts';
import { publishMessage } from '../../../../test/publish.ts';
import {
  atDoors,
  companyPlaces,
  devicePlaces,
  everywhere,
  peoplePlaces,
  systemPlaces,
  taskPlaces,
} from '../../../../test/walked-places.ts';

const product = useProduct();

/** Every permission that is no page of the menu (SHELL-14). */
const buttonsOf = (tree: readonly MenuDefinition[]): string[] =>
  tree.flatMap((m) => [...(m.hidden ? [m.key] : []), ...(m.buttons ?? []), ...buttonsOf(m.children ?? [])]);
const buttonKeys = buttonsOf(menuTree);

/** Adds an inactive, a locked and a disabled user, because the actions depend on the state. */
async function inEachState(platform: Platform, roleId: string): Promise<string[]> {
  const [first, own] = ['First-Secret-1', 'Second-Secret-2'];
  const plain = platform.plainClient();
  const ids: string[] = [];
  for (const state of ['new', 'locked', 'off']) {
    const username = `walker.${state}`;
    const { id } = await platform.call(addUser, {
      body: {
        username,
        nickname: username,
        email: null,
        activation: 'password',
        oldEnough: true,
        password: first,
        roleIds: [roleId],
        allOrgs: true,
        orgIds: [],
      },
    });
    ids.push(id);
    const activate = (password: string) =>
      plain(activateByPassword, { body: { username, password, newPassword: own, confirmation: own } });
    if (state !== 'new') await activate(first);
    if (state === 'locked') for (let i = 0; i < 5; i++) await activate('wrong').catch(() => undefined);
    if (state === 'off') await platform.call(disableUsers, { body: { ids: [id] } });
  }
  return ids;
}

it(
  'elements exist exactly with their button keys, for every key and on every page with one [SHELL-14]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { call } = platform;
    const { mac } = (await platform.devices()).find((d) => !d.online)!;
    const [away] = (await call(listDevices, { query: { search: mac } })).records;
    const withDoors = (await platform.devices()).find((d) => d.online && d.doors)!;
    const [gate] = (await call(listDevices, { query: { search: withDoors.mac } })).records;
    const task = await call(addTask, {
      body: { name: 'Waits for its device', action: 'reboot', params: {}, target: { ids: [away!.id] } },
    });
    const reboot = { action: 'reboot', params: {}, target: { ids: [away!.id] } };
    expect(atDoors.length + everywhere.length).toBe(Object.keys(actions).length);
    const timed = await call(addTask, {
      body: { ...reboot, name: 'Waits for its time', schedule: { type: 'timer', begin: '2031-01-01T02:00' } },
    });
    // It waits for another user's approval; tasks that are ordered later do not.
    await call(editApprovalRule, { body: { devices: 1, actions: ['reboot'] } });
    const asked = await call(addTask, { body: { ...reboot, name: 'Waits for approval' } });
    await call(editApprovalRule, { body: { devices: null, actions: [] } });
    const ended = await call(addTask, { body: { ...reboot, name: 'Has ended' } });
    await call(cancelTask, { params: { id: ended.id } });
    // The own company offers neither action; an added company stays, so it may exist when the test runs again.
    await call(addCompany, {
      body: {
        name: 'Company of the walker',
        type: 'enterprise',
        organizationName: 'Walker',
        remarks: '',
        username: 'walker.company',
        nickname: 'Walker',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: 'First-Secret-1',
        language: 'en_US',
        timezoneId: 1,
        countryId: 1,
      },
    }).catch((e: { error: string }) => expect(e.error).toBe('org.companyNameTaken'));
    const search = 'Company of the walker';
    const channelId = await eventually(async () => (await call(listChannels, { query: { search } })).records[0]!.id);
    const allowed: RouteOutput<typeof listSupportAccess>['records'][number] = {
      id: channelId,
      level: 'view',
      state: 'active',
      company: 'Above',
      reason: '',
      createdBy: 'walker',
      createdAt: new Date().toISOString(),
      until: new Date(Date.now() + 3_600_000).toISOString(),
      endedBy: null,
      endedAt: null,
      visits: 0,
      visitedAt: null,
    };
    const examples = await Promise.all(nouns.map((noun) => exampleOf(noun, platform)));
    const template: NounDefinition = nouns.find(({ name }) => name === 'configTemplate')!;
    const general = { ...template.example, name: 'Of the walker', level: 'general', target: null };
    examples.push(await exampleOf({ ...template, example: general }, platform));
    await eventually(async () =>
      expect((await call(getDeviceConfig, { params: { id: away!.id } })).version).not.toBeNull(),
    );
    const menu = await call(addMenu, {
      body: {
        parent: null,
        name: 'Of the walker',
        source: 'link',
        sort: 1,
        hidden: false,
        path: '/walk.html',
        meta: { keepAlive: false, roles: null },
      },
    });
    await call(openApiAccess);
    await call(addApiToken, {
      body: {
        name: 'Of the walker',
        scopes: ['device'],
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        password: platform.ready.admin.password,
      },
    });
    await publishMessage(platform, { type: 6 });
    const walker = await someone(platform, 'walker', permissionKeys, { accountType: 'super' });
    const people = await inEachState(platform, walker.roleId);

    const places: Place[] = [
      ...nouns.map(placeOf),
      ...devicePlaces(away!, gate!),
      ...taskPlaces({ waiting: task, timed, asked, ended }),
      ...peoplePlaces,
      ...companyPlaces(channelId),
      ...systemPlaces,
    ];
    // No key without an element, and none that is not checked.
    expect([...new Set(places.flatMap((p) => p.elements.flatMap((e) => e.keys)))].toSorted()).toEqual(
      buttonKeys.toSorted(),
    );

    try {
      const { page } = await product.loggedIn('/wel/home', walker);
      // This company is the installation's own, which is no channel; here it acts like any other.
      await page.route('**/api/f/org/channel/room', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { top: boolean } };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, top: false } } });
      });
      // So it has no parent company that it could let in.
      await page.route('**/api/f/auth/supportAccess', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { company: 'Above', until: null } } });
      });
      await page.route('**/api/f/auth/supportAccess/list?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, records: [allowed], total: 1 } } });
      });
      await page.route(`**/api/f/device/device/${away!.id}`, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        const offeredSite = { id: away!.id, name: 'Lobby of the walker', ip: '10.1.2.3', segment: '10.1.2.0/24' };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, offeredSite } } });
      });
      // One change of many devices can be retried, and another can be undone.
      const change = { id: away!.id, set: {}, status: 'done', total: 2, done: 1, unchanged: 0, failed: 1 };
      const createdAt = new Date().toISOString();
      await page.route('**/api/f/device/change', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object[] };
        const data = [
          { ...change, kind: 'edit', createdAt },
          { ...change, id: gate!.id, kind: 'delete', failed: 0, createdAt },
        ];
        await route.fulfill({ response, json: { ...body, data } });
      });
      const pages = permissionKeys.filter((key) => !buttonKeys.includes(key));
      // All, none, and two halves, so that neighbours are told apart.
      const sets = [buttonKeys, [], buttonKeys.filter((_, i) => i % 2 === 0), buttonKeys.filter((_, i) => i % 2 === 1)];
      for (const granted of sets) {
        await walker.may([...pages, ...granted]);
        // The permissions apply within a second, and the page reads them when it is loaded.
        await expect
          .poll(async () =>
            (
              (await (
                await page
                  .context()
                  .request.get('/api/f/mc/menu/buttons', { headers: { 'carillon-language': 'en_US' } })
              ).json()) as { data: string[] }
            ).data.toSorted(),
          )
          .toEqual([...granted].toSorted());
        await Promise.all([page.waitForResponse((r) => r.url().endsWith('/menu/buttons') && r.ok()), page.reload()]);
        for (const place of places) {
          await go(page, place.path, place.whole ?? rows);
          await expect
            .poll(() => seen(page, place), { message: `${place.path} with ${granted.length} keys`, timeout: 30_000 })
            .toEqual(expectedOf(place, granted));
        }
      }
    } finally {
      await call(deleteUsers, { query: { ids: people } });
      await walker.leave();
      for (const { id } of [task, timed]) await call(cancelTask, { params: { id } });
      await call(deleteMenus, { query: { ids: [menu.id] } });
      await call(closeApiAccess);
      for (const { remove } of examples) await remove();
    }
  },
);

it('elements of customers depend on their permissions and on the server’s answer [SHELL-14]', async () => {
  const { platform } = product;
  const [first, own] = ['First-Secret-1', 'Second-Secret-2'];
  const boss = { username: 'walker.customer', password: own };
  // A company stays, so it may exist when the test runs again.
  const made = await platform
    .call(addCompany, {
      body: {
        name: 'Customer of the walker',
        type: 'enterprise',
        organizationName: 'Walker',
        remarks: '',
        username: boss.username,
        nickname: 'Walker',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: first,
        language: 'en_US',
        timezoneId: 1,
        countryId: 1,
      },
    })
    .catch((e: { error: string }) => expect(e.error).toBe('org.companyNameTaken'));
  if (made)
    await eventually(() =>
      platform.plainClient()(activateByPassword, {
        body: { username: boss.username, password: first, newPassword: own, confirmation: own },
      }),
    );
  const token = await logIn({ ...platform.ready, admin: boss });
  const call = platform.client({ 'carillon-auth': `bearer ${token}` });
  const pages = ['home', 'channel', 'supportAccess'];
  const channels = [add('offerChannel', 'Get a code'), add('bindChannel', 'Bind company')];
  const access = [add('addSupportAccess', 'Allow access')];
  const ends = [row('endSupportAccess', 'End access')];
  const keys = [...channels, ...access, ...ends].flatMap((e) => e.keys);
  const walker = await someone({ call, plainClient: () => platform.plainClient() }, 'walker.of.customer', pages);
  try {
    const { page } = await product.loggedIn('/wel/home', walker);
    const shows = async (path: string, elements: Element[], granted: readonly string[], whole: string) => {
      const place = { path, elements };
      await go(page, path, whole);
      await expect
        .poll(() => seen(page, place), { message: `${path} with ${granted.length} keys`, timeout: 30_000 })
        .toEqual(expectedOf(place, granted));
    };
    for (const granted of [keys, [], keys.filter((_, i) => i % 2 === 0), keys.filter((_, i) => i % 2 === 1)]) {
      await walker.may([...pages, ...granted]);
      await expect
        .poll(async () => {
          const headers = { 'carillon-language': 'en_US' };
          const answer = await page.context().request.get('/api/f/mc/menu/buttons', { headers });
          return ((await answer.json()) as { data: string[] }).data.toSorted();
        })
        .toEqual([...granted].toSorted());
      await Promise.all([page.waitForResponse((r) => r.url().endsWith('/menu/buttons') && r.ok()), page.reload()]);
      await shows('/channel/boundChannelList', channels, granted, 'main :is(h1, h2):visible');
      await shows('/system/supportAccess', access, granted, 'main :is(h1, h2):visible');
      const { id } = await call(addSupportAccess, { body: { level: 'view', hours: 1, reason: 'Walk' } });
      await go(page, '/wel/home', 'main :is(h1, h2):visible');
      await shows('/system/supportAccess', ends, granted, rows);
      await call(endSupportAccess, { params: { id } });
      await go(page, '/wel/home', 'main :is(h1, h2):visible');
    }
  } finally {
    await walker.leave();
  }
});
