import { expect, it } from 'vitest';
import { addTask, bladeUserInfo, countDevices, listDevices, token } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { logIn, type Platform } from '@carillon/testing/platform';

/** By MAC: how often each device did what it was told since `before`. */
export async function effectsSince(platform: Platform, before: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  for (const [mac, effects] of await platform.effects()) done.set(mac, effects.reduce((sum, { id, count }) => sum + count - (before.get(id) ?? 0), 0));
  return done;
}

export const effectsByCommand = async (platform: Platform): Promise<Map<string, number>> => new Map([...(await platform.effects()).values()].flat().map(({ id, count }) => [id, count]));

/** What a browser hears of the company, until `close`. */
async function listen(url: string, accessToken: string): Promise<{ kinds: string[]; close(): void }> {
  const stop = new AbortController();
  const kinds: string[] = [];
  const response = await fetch(`${url}/api/f/gateway/live`, { headers: { 'carillon-auth': `bearer ${accessToken}` }, signal: stop.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) for (const [, kind] of decoder.decode(chunk as Uint8Array).matchAll(/"kind":"(\w+)"/g)) kinds.push(kind!);
  })().catch(() => undefined);
  return { kinds, close: () => stop.abort() };
}

/** The spine of the product, the same for both ways to run: log in, list, reboot all, watch it live. */
export function journeys(of: () => Platform, devices: number): void {
  it('a person logs in with the right password only', async () => {
    const { call, ready } = of();
    await expect(call(token, { query: {}, body: { grant_type: 'captcha', scope: 'all', username: ready.admin.username, password: '0'.repeat(32) } })).rejects.toThrow();
    expect((await call(bladeUserInfo, {})).username).toBe('admin');
  });

  it('the list shows every device once, page by page, with an exact total', async () => {
    const { call } = of();
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

  it('one click reboots every device once, and the open browser hears of it while it happens', async () => {
    const platform = of();
    await platform.allOnline(devices);
    const before = await effectsByCommand(platform);
    const live = await listen(platform.ready.url, await logIn(platform.ready));
    try {
      const { id } = await platform.call(addTask, { body: { name: 'Reboot all', action: 'reboot', params: {}, target: { filter: {} } } });
      const task = await platform.ended(id);
      expect([task.status, task.counts]).toEqual(['success', { total: devices, success: devices, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 }]);
      const rows = await platform.taskDevices(id);
      expect(new Set(rows.map((r) => r.mac)).size).toBe(devices);
      const done = await effectsSince(platform, before);
      expect(rows.filter(({ mac }) => done.get(mac) !== 1)).toEqual([]);
      // The stream tells at most twice a second (decisions 3), the reboots take less.
      await eventually(() => { expect(live.kinds).toEqual(expect.arrayContaining(['task', 'device', 'operationLog'])); });
    } finally {
      live.close();
    }
  });
}
