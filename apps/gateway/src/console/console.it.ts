import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRoutes } from '@carillon/contracts/routes';
import { allTopics } from '@carillon/contracts/topics';
import { startGateway, type GatewayUnderTest } from '../gateway-test.ts';

let gateway: GatewayUnderTest;
const folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
const script = 'console.log(1);'.repeat(100);
const page = '<!doctype html><title>Carillon</title>';

beforeAll(async () => {
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  writeFileSync(join(site, 'index.html'), page);
  writeFileSync(join(site, 'favicon.ico'), 'icon');
  writeFileSync(join(site, 'assets/index-B4xk91_z.js'), script);
  writeFileSync(join(site, 'assets/index-B4xk91_z.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  const before = join(folder, 'before');
  mkdirSync(join(before, 'assets'), { recursive: true });
  for (const [file, text] of [
    ['index.html', 'old page'],
    ['old.txt', 'old'],
    ['assets/index-0ldB4xk9.js', 'old script'],
    ['assets/index-B4xk91_z.js', 'never this one'],
  ] as const)
    writeFileSync(join(before, file), text);
  gateway = await startGateway({
    consoleDir: site,
    consoleBefore: `${before},${join(folder, 'gone')}`,
    productName: 'Carillon',
    version: '9.9.9',
    idleSeconds: 1_800,
    systemName: null,
    abbreviatedName: null,
    copyright: null,
    logo: null,
    loginImage: null,
    favicon: null,
  });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

test('what is looked for and is no page of the console is 404, not a page', async () => {
  for (const path of [
    '/.env',
    '/.git/config',
    '/.git',
    '/%2eenv',
    '/a/.well-known/x',
    '/metrics',
    '/metrics/',
    '/actuator/health',
    '/wp-login.php',
    '/index.php',
    '/backup.zip',
    '/debug/pprof',
  ]) {
    const answer = await gateway.request(path);
    expect([answer.status, answer.json?.error], path).toEqual([404, 'common.routeUnknown']);
  }
});

test('every page of the console is its one document, cached only with revalidation [SHELL-01/served]', async () => {
  for (const path of ['/', '/login', '/wel/home', '/device/list?x=1', '/myiframe/a.html', '/404']) {
    const answer = await gateway.request(path);
    expect([answer.status, answer.text, answer.headers['cache-control'], answer.headers['content-type']], path).toEqual(
      [200, page, 'no-cache', 'text/html; charset=utf-8'],
    );
  }
  const { headers } = await gateway.request('/');
  expect((await gateway.request('/', { headers: { 'if-none-match': String(headers['etag']) } })).status).toBe(304);
  const head = await gateway.request('/', { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(page.length)]);
});

test('a file with a hash in its name is cached for ever, and sent as brotli to clients that accept it', async () => {
  const path = '/assets/index-B4xk91_z.js';
  const plain = await gateway.request(path);
  expect([
    plain.text,
    plain.headers['cache-control'],
    plain.headers['content-encoding'],
    plain.headers['vary'],
  ]).toEqual([script, 'public, max-age=31536000, immutable', undefined, 'accept-encoding']);
  const small = await gateway.request(path, { headers: { 'accept-encoding': 'gzip, br' } });
  expect([small.headers['content-encoding'], small.headers['content-type']]).toEqual([
    'br',
    'text/javascript; charset=utf-8',
  ]);
  expect(Number(small.headers['content-length'])).toBeLessThan(script.length);
  expect(
    (await gateway.request(path, { headers: { 'accept-encoding': 'br;q=0' } })).headers['content-encoding'],
  ).toBeUndefined();
  expect((await gateway.request('/favicon.ico')).headers['cache-control']).toBe('no-cache');
});

test('assets of an earlier build are still served, but not its page or other files', async () => {
  expect((await gateway.request('/assets/index-0ldB4xk9.js')).text).toBe('old script');
  expect((await gateway.request('/assets/index-B4xk91_z.js')).text).toBe(script);
  for (const path of ['/', '/old.txt']) expect((await gateway.request(path)).text, path).toBe(page);
});

test('nothing outside of the folder is served, whatever the path', async () => {
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/gone-12345678.js',
  ]) {
    const { text, status } = await gateway.request(path);
    expect(text.includes('secret') && status === 200, path).toBe(false);
  }
  expect((await gateway.request('/assets/gone-12345678.js')).json).toMatchObject({
    code: 404,
    error: 'common.routeUnknown',
  });
  expect((await gateway.request('/login', { method: 'POST' })).status).toBe(404);
});

test('the console gets its client, name and version; the portal needs no script', async () => {
  expect((await gateway.request('/carillon.json')).json).toEqual({
    clientId: 'web',
    clientSecret: 'web-secret-of-test',
    productName: 'Carillon',
    version: '9.9.9',
    idleSeconds: 1_800,
    systemName: null,
    abbreviatedName: null,
    copyright: null,
    logo: null,
    loginImage: null,
    favicon: null,
  });
  const document = (await gateway.request('/api/openapi.json')).json as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  expect(
    Object.values(document.paths)
      .flatMap((p) => Object.values(p).map((o) => o.operationId))
      .toSorted(),
  ).toEqual(allRoutes.map((r) => r.name).toSorted());
  const events = (await gateway.request('/api/asyncapi.json')).json as {
    asyncapi: string;
    channels: Record<string, unknown>;
  };
  expect([events.asyncapi, Object.keys(events.channels)]).toEqual(['3.0.0', allTopics.map((t) => t.name)]);
  const changelog = (await gateway.request('/api/changelog.json')).json as { version: string; added: string[] }[];
  expect(changelog.at(-1)).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    added: expect.arrayContaining(['listDevices']),
    changed: [],
    removed: [],
  });
  const docs = await gateway.request('/api/docs');
  expect(docs.text).toContain(`<h2 id="changes">changes</h2><h3>${changelog[0]!.version} `);
  expect(docs.headers['content-type']).toBe('text/html; charset=utf-8');
  // An error message may contain a URL, but nothing links to one.
  expect(docs.text).not.toMatch(/<script|style="|(?:src|href)="(?![/#])|url\(/);
  for (const { route } of allRoutes) expect(docs.text).toContain(`<code>${route.path}</code>`);
  expect((await gateway.request('/api/docs/portal.css')).headers['content-type']).toBe('text/css; charset=utf-8');
});

test('health reports that the process lives, and which parts are not ready', async () => {
  expect((await gateway.request('/livez')).json).toEqual({ live: true });
  const ready = await gateway.request('/readyz');
  expect([ready.status, ready.json.ready, ready.json.checks]).toEqual([
    200,
    true,
    expect.objectContaining({ bus: 'ok', access: 'ok', auth: 'ok', device: 'ok' }),
  ]);
});
