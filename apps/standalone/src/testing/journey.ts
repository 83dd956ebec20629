import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  addTask,
  bladeUserInfo,
  clearCache,
  countDevices,
  getCache,
  listDeviceLog,
  listDevices,
  listErrors,
  listTasks,
  logoutWithLogs,
  reportErrors,
  token,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { authSql, logIn, type Platform } from '@carillon/testing/platform';

/** Returns by MAC how often each device ran its commands since `before`. */
export async function effectsSince(
  platform: Platform,
  before: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  for (const [mac, effects] of await platform.effects())
    done.set(
      mac,
      effects.reduce((sum, { id, count }) => sum + count - (before.get(id) ?? 0), 0),
    );
  return done;
}

export const effectsByCommand = async (platform: Platform): Promise<Map<string, number>> =>
  new Map([...(await platform.effects()).values()].flat().map(({ id, count }) => [id, count]));

/** Reads a company's live stream until `close`. */
async function listen(url: string, accessToken: string): Promise<{ kinds: string[]; close(): void }> {
  const stop = new AbortController();
  const kinds: string[] = [];
  const response = await fetch(`${url}/api/f/gateway/live`, {
    headers: { 'carillon-auth': `bearer ${accessToken}` },
    signal: stop.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!)
      for (const [, kind] of decoder.decode(chunk as Uint8Array).matchAll(/"kind":"(\w+)"/g)) kinds.push(kind!);
  })().catch(() => undefined);
  return { kinds, close: () => stop.abort() };
}

/** The core journey, the same in both modes: log in, list, reboot all, watch it live. */
export function journeys(platformOf: () => Platform, devices: number): void {
  it('a person logs in only with the right password', async () => {
    const { call, ready } = platformOf();
    await expect(
      call(token, {
        query: {},
        body: { grant_type: 'captcha', scope: 'all', username: ready.admin.username, password: '0'.repeat(32) },
      }),
    ).rejects.toThrow();
    expect((await call(bladeUserInfo, {})).username).toBe('admin');
  });

  it('the list pages through every device once with an exact total', async () => {
    const { call } = platformOf();
    const { total } = await call(countDevices, { query: {} });
    const macs: string[] = [];
    for (let page = 1; macs.length < total; page++) {
      const found = await call(listDevices, { query: { page, limit: 50, sort: 'mac' } });
      expect(found.total).toBe(total);
      expect(found.records.length).toBeGreaterThan(0);
      macs.push(...found.records.map((r) => r.mac));
    }
    expect(new Set(macs).size).toBe(total);
    expect(macs).toEqual(macs.toSorted());
  });

  it('one click reboots every device once, and the open browser sees it live', async () => {
    const platform = platformOf();
    await platform.allOnline(devices);
    const before = await effectsByCommand(platform);
    const live = await listen(platform.ready.url, await logIn(platform.ready));
    try {
      const { id } = await platform.call(addTask, {
        body: { name: 'Reboot all', action: 'reboot', params: {}, target: { filter: {} } },
      });
      const task = await platform.ended(id);
      expect([task.status, task.counts]).toEqual([
        'success',
        { total: devices, success: devices, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 },
      ]);
      const rows = await platform.taskDevices(id);
      expect(new Set(rows.map((r) => r.mac)).size).toBe(devices);
      const done = await effectsSince(platform, before);
      expect(rows.filter(({ mac }) => done.get(mac) !== 1)).toEqual([]);
      // The stream sends at most twice a second, and the reboots are faster.
      await eventually(() => {
        expect(live.kinds).toEqual(expect.arrayContaining(['task', 'device', 'operationLog']));
      });
    } finally {
      live.close();
    }
  });

  it('gateways refresh a user on request, and browser errors are taken up to a limit [SYS-05]', async () => {
    const { call, viewer, ready } = platformOf();
    const authorization = `bearer ${await logIn({ ...ready, admin: viewer })}`;
    const person = platformOf().client({ 'carillon-auth': authorization });
    const kept = await person(getCache, {});
    const tasks = () =>
      person(listTasks, { query: {} }).then(
        () => 200,
        (e: { code: number }) => e.code,
      );
    // Changed directly in the database: each gateway keeps its cached copy until the user clears it.
    const role = async (change: string) => {
      await authSql(platformOf(), `update role set permissions = ${change} where name = 'viewer'`);
    };
    await role(`array_remove(permissions, 'task')`);
    try {
      expect(await tasks()).toBe(200);
      await person(clearCache, {});
      await eventually(async () => expect(await tasks()).toBe(403));
    } finally {
      await role(`array_append(permissions, 'task')`);
    }
    await person(clearCache, {});
    await eventually(async () => expect(await tasks()).toBe(200));
    expect((await person(getCache, {})).version).toBe(kept.version + 2);

    const [device] = (await call(listDevices, { query: { limit: 1, sort: 'mac' } })).records;
    await eventually(async () => {
      const { records } = await call(listDeviceLog, { query: { deviceId: [device!.id], limit: 200 } });
      expect(records.map((e) => e.kind)).toEqual(expect.arrayContaining(['online', 'offline', 'boot']));
      expect(records.find((e) => e.kind === 'boot')).toMatchObject({
        deviceId: device!.id,
        mac: device!.mac,
        name: device!.name,
        detail: { reason: 'reboot' },
      });
      expect(records.map((e) => e.at)).toEqual(
        records
          .map((e) => e.at)
          .toSorted()
          .toReversed(),
      );
    });

    const mark = randomUUID();
    const entry = (more: object = {}) => ({
      url: '/device/list',
      time: new Date().toISOString(),
      type: 'error',
      message: `It broke ${mark}`,
      ...more,
    });
    const hand = (logs: object[]): Promise<unknown> =>
      call(reportErrors, { body: { logs: logs as ReturnType<typeof entry>[] } }).then(
        (r) => r.stored,
        (e: { code: number; error: string }) => `${e.code} ${e.error}`,
      );
    const stored = async () => (await call(listErrors, { query: { search: mark } })).total;
    expect([
      await hand(Array.from({ length: 51 }, () => entry())),
      await hand([entry({ stack: 'x'.repeat(8_193) })]),
      await hand(Array.from({ length: 40 }, () => entry({ stack: 'x'.repeat(8_000) }))),
    ]).toEqual(['400 common.invalid', '400 common.invalid', '413 common.tooLarge']);
    expect(await stored()).toBe(0);
    const fifty = Array.from({ length: 50 }, () => entry());
    expect([await hand(fifty), await hand(fifty), await hand(fifty), await hand(fifty), await hand([entry()])]).toEqual(
      [50, 50, 50, 50, '429 common.tooMany'],
    );
    expect(await stored()).toBe(200);
    // A log-out takes errors of the same size at most, and a refused one leaves the session open.
    const leave = (logs: object[]): Promise<unknown> =>
      person(logoutWithLogs, { body: { logs: logs as ReturnType<typeof entry>[] } }).then(
        () => 200,
        (e: { code: number; error: string }) => `${e.code} ${e.error}`,
      );
    expect([
      await leave(Array.from({ length: 51 }, () => entry())),
      await leave(Array.from({ length: 40 }, () => entry({ stack: 'x'.repeat(8_000) }))),
    ]).toEqual(['400 common.invalid', '413 common.tooLarge']);
    expect((await person(getCache, {})).version).toBe(kept.version + 2);
  });
}
