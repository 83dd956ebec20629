import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

class MemoryStorage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

/**
 * Refuses the first call for devices as locked, answers that for sites as configured, and records the headers of each.
 */
let siteAnswer = 200;
const requests: { path: string; organization: unknown; trace: unknown }[] = [];
const server = createServer((request: IncomingMessage, response) => {
  const path = request.url!.replace(/\?.*/, '');
  const isFirst = !requests.some((r) => r.path === path);
  requests.push({ path, organization: request.headers['carillon-org'], trace: request.headers['traceparent'] });
  const isDevices = path === '/api/f/device/device/list';
  const code = path === '/api/f/device/site' ? siteAnswer : isDevices && isFirst ? 423 : 200;
  response.end(JSON.stringify({ code, msg: '', data: null, clientId: 'id', clientSecret: 'secret' }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const realFetch = fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => realFetch(origin + path, init));
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('document', { querySelector: () => ({}) });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

it('a call that is repeated after an unlock keeps its own organization and trace', async () => {
  const { call, remote } = await import('./call.ts');
  const { setLocked } = await import('../session/lock.ts');
  const { keep } = await import('../browser/storage.ts');
  keep('session', { userId: '1', timezoneId: 1, expiresAt: Date.now() + 3_600_000 });
  keep('organization', '7');
  setLocked(true);
  setLocked(false);

  const devices = call(remote('listDevices', 'GET /api/f/device/device/list'), {});
  await vi.waitFor(() => expect(requests.some((r) => r.path === '/api/f/device/device/list')).toBe(true));
  // The selectable organizations are requested without the chosen one.
  await call(remote('listOrganizationNames', 'GET /api/f/mc/org'), {});
  await devices;

  const [first, second] = requests.filter((r) => r.path === '/api/f/device/device/list');
  expect(first).toMatchObject({ organization: '7', trace: expect.stringMatching(/^00-/) });
  expect(second).toEqual(first);
  expect(requests.find((r) => r.path === '/api/f/mc/org')).toMatchObject({ organization: '1' });
});

it('an error is reported once until its call succeeds, and not at all when it is shown at its field', async () => {
  const { call, onCallError, placeError, remote, CallError } = await import('./call.ts');
  const { keep } = await import('../browser/storage.ts');
  keep('session', { userId: '1', timezoneId: 1, expiresAt: Date.now() + 3_600_000 });
  const published: unknown[] = [];
  onCallError({
    failed: (error, name) => published.push([error.code, name]),
    settled: (what) => published.push(what instanceof CallError ? 'placed' : what),
  });
  const sites = remote('listSiteNames', 'GET /api/f/device/site');
  const name = 'GET /api/f/device/site';
  const afterwards = () => new Promise((done) => setTimeout(done));
  const failed = (): Promise<InstanceType<typeof CallError>> =>
    call(sites).then(
      () => expect.fail(),
      (e) => e,
    );

  siteAnswer = 409;
  const late = await failed();
  await afterwards();
  expect(published.splice(0)).toEqual([[409, name]]);
  placeError(late);
  expect(published.splice(0)).toEqual(['placed']);
  placeError(await failed());
  await afterwards();
  expect(published.splice(0)).toEqual(['placed']);
  // An error for the caller only, and one that is not to be reported.
  siteAnswer = 400;
  await failed();
  siteAnswer = 503;
  await call(sites, {}, { quiet: true }).catch(() => undefined);
  await afterwards();
  expect(published.splice(0)).toEqual([]);
  siteAnswer = 200;
  await call(sites);
  expect(published.splice(0)).toEqual([name]);
});
