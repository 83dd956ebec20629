import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  activateByPassword,
  addRole,
  addUser,
  createClient,
  deleteRoles,
  deleteUsers,
  editRole,
  getRole,
  listRoles,
  listTasks,
  menuTreeOf,
  token,
  type MenuNode,
} from '@carillon/contracts';
import { rawRequest } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';

const flat = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((n) => [n, ...flat(n.children)]);
const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (e: { error: string }) => e.error,
  );

/** Tests the life of a role with two API gateways, which both must learn of each change. */
export function roleJourney(platformOf: () => Platform): void {
  it('a role is added, edited and deleted, and a change counts in a second everywhere [ROLE-01]', async () => {
    const platform = platformOf();
    const { call } = platform;
    const tree = flat(await call(menuTreeOf, { query: {} }));
    const pick = (...ids: string[]) => ids.map((id) => tree.find((n) => n.id === id)!.id);
    const name = `Ringers ${randomUUID().slice(0, 8)}`;
    const body = { name, description: 'Look after bells', permissions: pick('home', 'device', 'addDevice') };
    const role = await call(addRole, { body });
    expect(role).toMatchObject({ ...body, users: 0, updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    expect(
      flat(await call(menuTreeOf, { query: { roleId: role.id } }))
        .filter((n) => n.granted)
        .map((n) => n.id),
    ).toEqual(['home', 'device', 'addDevice']);
    expect((await call(listRoles, { query: { search: name } })).records).toEqual([role]);
    expect(await failure(call(addRole, { body }))).toBe('role.nameTaken');
    expect(await failure(call(addRole, { body: { ...body, name: `${name} 2`, permissions: ['noSuchRight'] } }))).toBe(
      'common.invalid',
    );

    const username = `ringer-${randomUUID().slice(0, 8)}`;
    const [first, own] = [`First-${randomUUID()}`, `Own-${randomUUID()}`];
    const user = await call(addUser, {
      body: {
        username,
        nickname: username,
        email: null,
        activation: 'password',
        oldEnough: true,
        password: first,
        roleIds: [role.id],
        allOrgs: true,
        orgIds: [],
      },
    });
    await platform.plainClient()(activateByPassword, {
      body: { username, password: first, newPassword: own, confirmation: own },
    });
    const { client, url } = platform.ready;
    const login = createClient({
      baseUrl: url,
      headers: () => ({ authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` }),
    });
    const { access_token } = await login(token, {
      query: {},
      body: { grant_type: 'captcha', scope: 'all', username, password: createHash('md5').update(own).digest('hex') },
    });

    // Each request opens a new connection, so that the kernel spreads them over both processes.
    const port = Number(new URL(url).port);
    const ask = async (count: number) =>
      Promise.all(
        Array.from(
          { length: count },
          async () =>
            (await rawRequest({ port }, { path: listTasks.path, headers: { 'carillon-token': access_token } })).status,
        ),
      );
    const gateways = platform.processes.filter((p) => p.startsWith('gateway-'));
    expect(gateways.length).toBeGreaterThan(1);
    const answered = async (status: number) =>
      Promise.all(
        gateways.map(async (process) => {
          const { text } = await platform.ops(process, '/metrics');
          const line = text
            .split('\n')
            .find(
              (l) =>
                l.startsWith('carillon_http_seconds_count{') &&
                l.includes(`route="${listTasks.path}",status="${status}"`),
            );
          return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1));
        }),
      );
    /**
     * Waits until a whole batch and each process answer with `status`. Returns when the last request with another
     * answer was sent, in ms since `from`: a busy machine may answer late, but not by an old permission.
     */
    const everywhere = async (status: number, from: number) => {
      let stale = 0;
      for (let sent = 0; (await ask(12)).some((s) => s !== status); sent = performance.now() - from) {
        stale = sent;
        expect(stale, 'ms with an old answer').toBeLessThan(5_000);
      }
      const before = await answered(status);
      for (let i = 0; i < 10 && (await answered(status)).some((n, g) => n <= before[g]!); i++)
        expect(new Set(await ask(12))).toEqual(new Set([status]));
      for (const [g, n] of (await answered(status)).entries()) expect(n, gateways[g]!).toBeGreaterThan(before[g]!);
      return stale;
    };
    await everywhere(403, performance.now());

    const took: number[] = [];
    for (let i = 0; i < 3; i++) {
      for (const [permissions, status] of [
        [pick('home', 'device', 'addDevice', 'task'), 200],
        [pick('home'), 403],
      ] as const) {
        const edited = await call(editRole, {
          body: { id: role.id, name: `${name} b`, description: 'Others', permissions },
        });
        took.push(await everywhere(status, performance.now()));
        expect(edited).toMatchObject({ name: `${name} b`, description: 'Others', permissions, users: 1 });
        expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(role.updatedAt));
      }
    }
    expect(Math.max(...took), `ms until a change counts everywhere: ${took.map(Math.round).join(', ')}`).toBeLessThan(
      1_000,
    );
    expect(await failure(call(deleteRoles, { query: { ids: [role.id] } }))).toBe('role.inUse');
    expect((await call(getRole, { params: { id: role.id } })).users).toBe(1);
    await call(deleteUsers, { query: { ids: [user.id] } });
    expect(await call(deleteRoles, { query: { ids: [role.id] } })).toEqual({ deleted: 1 });
    expect(await failure(call(getRole, { params: { id: role.id } }))).toBe('common.notFound');
  });
}
