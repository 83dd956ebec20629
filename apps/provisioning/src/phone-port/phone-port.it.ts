import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  linkReport,
  listConfigRequests,
  type EventData,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { currentSql, inCompany, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { ConfigLoads } from '../device-config/config-loads.service.ts';
import { LoadingDevices } from '../device-config/loading-devices.ts';
import { ask, send, type PhoneRequest } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;
const events: EventData<typeof linkReport, 'event'>[] = [];

const start = (values: Record<string, unknown> = {}, beside?: TestedService) => startProvisioning(bus, values, beside);

beforeAll(async () => {
  bus = await testBus('phone_port_bus');
  service = await start({ deviceRequestsPerMinute: 0, foreignFilesPerMinute: 5, forgedTokensPerMinute: 5 });
  await bus.fanout({
    topics: [linkReport.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { type, data } = fromRecord(linkReport, record)!;
        if (type === 'event') events.push(data as never);
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Runs a test with another process of the service, which has other settings. */
async function withSettings(values: Record<string, unknown>, run: (port: number, one: TestedService) => Promise<void>) {
  const other = await start(values, service);
  try {
    await run(phonePortOf(other), other);
  } finally {
    await other.close();
  }
}

const statusOf = async (path: string, more: PhoneRequest = {}, port = phonePortOf(service)) =>
  (await ask(port, path, more)).status;
const statuses = async (count: number, path: (n: number) => string, more: PhoneRequest = {}, port?: number) => {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push(await statusOf(path(n), more, port));
  return all;
};
const times = (count: number, status: number): number[] => Array.from<number>({ length: count }).fill(status);
const forged = (n: number): string => `/api/f/config/${'A'.repeat(100 + n)}/0c383e00b199.cfg`;

/** Creates a company with a Fanvil phone and a template for it, and returns the address of its file. */
async function configured(mac: string) {
  const own = newActor();
  const id = uuidv7();
  const call = service.as(own);
  await publishDevice(bus, own, id, { mac, model: 'X4U', secretMark: 'mark1' });
  await call(addConfigTemplate, {
    body: { name: 'All', description: '', level: 'general', target: null, values: { 'time.server': 'ntp.example' } },
  });
  const address = await eventually(async () => {
    const found = await call(getDeviceConfigAddress, { params: { id } });
    expect((await ask(phonePortOf(service), found.file!)).status).toBe(200);
    return found;
  });
  const agent = { 'user-agent': `Fanvil X4U 2.12.16.17 ${mac}` };
  return { own, id, call, agent, folder: address.folder, file: address.file!, origin: address.origin };
}

/** Alters the stored content of a device, so that it cannot be opened. */
async function damage({ companyId }: { companyId: string }, id: string): Promise<void> {
  // Contents are shared: this device gets one of its own.
  await inCompany(service.database, companyId, async () => {
    const sql = currentSql();
    const contentId = uuidv7();
    await sql.query(
      `
        insert into config_content (id, company_id, sealed, version, used_at)
        select $2, x.company_id, overlay(x.sealed placing 'AAAA' from 20), x.version, now()
        from config_content x join device_config c on c.content_id = x.id where c.id = $1
      `,
      [id, contentId],
    );
    await sql.query('update device_config set content_id = $2 where id = $1', [id, contentId]);
  });
}

test('a phone loads its whole file, a part or its headers; only the whole file is a load [EDGE-01/port]', async () => {
  const { id, call, agent, file, origin } = await configured('0c383e00b101');
  expect(origin).toBe(`http://127.0.0.1:${phonePortOf(service)}`);
  const loadedAt = async () => (await call(getDeviceConfig, { params: { id } })).loadedAt;
  const times = async () =>
    Object.fromEntries((await call(listConfigRequests, { params: { id } })).map((r) => [r.outcome, r.times]));
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (method: string, headers: object = {}) =>
    ask(phonePortOf(service), file, { method, headers: { ...agent, ...headers }, agent: keepAlive });

  const head = await get('HEAD');
  const part = await get('GET', { range: 'bytes=0-4' });
  const beyond = await get('GET', { range: 'bytes=99999-' });
  expect([head.status, part.status, beyond.status]).toEqual([200, 206, 416]);
  expect([head.text, part.text]).toEqual(['', '<?xml']);
  await eventually(async () => expect(await times()).toMatchObject({ partial: 3 }));
  expect(await loadedAt()).toBeNull();

  const whole = await get('GET');
  expect(whole.headers).toMatchObject({
    'content-type': 'text/xml; charset=utf-8',
    'content-length': head.headers['content-length'],
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    connection: 'keep-alive',
  });
  expect(Buffer.byteLength(whole.text)).toBe(Number(head.headers['content-length']));
  expect((await get('GET', { 'if-none-match': whole.headers.etag })).status).toBe(304);
  await eventually(async () => expect(await loadedAt()).not.toBeNull());
  // All of them over one connection.
  expect(Object.values(keepAlive.freeSockets).map((sockets) => sockets!.length)).toEqual([1]);
  keepAlive.destroy();
});

test('a site loads more files in a minute than the API gateway allows an address calls [EDGE-01/site]', async () => {
  const { file } = await configured('0c383e00b111');
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 32 });
  const all = await Promise.all(Array.from({ length: 700 }, () => statusOf(file, { agent: keepAlive })));
  expect(all).toEqual(times(700, 200));
  keepAlive.destroy();
});

test('phones that ask at once are read together, and an unreadable file stops no other', async () => {
  const first = await configured('0c383e00b112');
  const { own, call } = first;
  const phones = await Promise.all(
    ['0c383e00b113', '0c383e00b114', '0c383e00b115'].map(async (mac) => {
      const id = uuidv7();
      await publishDevice(bus, own, id, { mac, model: 'X4U', secretMark: 'mark1' });
      return eventually(async () => {
        const { file } = await call(getDeviceConfigAddress, { params: { id } });
        expect(await statusOf(file!)).toBe(200);
        return { id, file: file! };
      });
    }),
  );
  const inOne = await Promise.all(
    phones.map(({ id }) =>
      service.app.get(LoadingDevices).read(own.companyId, id, async (one) => {
        const { rows } = await currentSql().query<{ began: string }>('select now()::text as began');
        return { answer: [one?.id === id, rows[0]!.began] };
      }),
    ),
  );
  expect(inOne).toEqual(times(phones.length, 0).map(() => [true, inOne[0]![1]]));

  await damage(own, phones[0]!.id);
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 40 });
  const files = [first.file, ...phones.map(({ file }) => file)];
  const asked = Array.from({ length: 40 }, (_, n) => files[n % files.length]!);
  const answers = await Promise.all(asked.map((file) => statusOf(file, { agent: keepAlive })));
  keepAlive.destroy();
  expect(answers).toEqual(asked.map((file) => (file === phones[0]!.file ? 503 : 200)));
});

test('everything but a file of a device is refused before any work [EDGE-01/unknown-path]', async () => {
  const { file, folder } = await configured('0c383e00b102');
  const port = phonePortOf(service);
  const load = vi.spyOn(service.app.get(ConfigLoads), 'load');
  for (const path of ['/', '/api/f/provisioning/sipServer/list', `${folder}a/b.cfg`, `${folder}%zz`, folder, '/health'])
    expect(await statusOf(path), path).toBe(404);
  expect(await statusOf(file, { method: 'POST' })).toBe(405);
  expect(await statusOf(file, { headers: { 'x-long': 'x'.repeat(10_000) } })).toBe(431);
  const body = `GET ${file} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello`;
  expect(await send(port, body)).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
  expect(await send(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(load).not.toHaveBeenCalled();
  load.mockRestore();
  expect(await statusOf(file)).toBe(200);
});

test('a slow request is ended, and the connections of one address are bounded while others are served', async () => {
  const { file } = await configured('0c383e00b103');
  await withSettings({ phoneRequestSeconds: 1 }, async (port) => {
    expect(await send(port, `GET ${file} HTTP/1.1\r\nhost:`)).toMatch(/^HTTP\/1\.1 408 /);
  });
  await withSettings({ phoneConnectionsPerAddress: 2, phoneRequestSeconds: 300 }, async (port) => {
    const from = '127.0.0.31';
    const keepAlive = new Agent({ keepAlive: true });
    // Both connections are open when their answers have come.
    await Promise.all([1, 2].map(() => ask(port, file, { from, agent: keepAlive })));
    expect(await send(port, `GET ${file} HTTP/1.1\r\nhost: x\r\n\r\n`, from)).toBe('');
    expect(await statusOf(file, { from: '127.0.0.32' }, port)).toBe(200);
    keepAlive.destroy();
  });
});

test('above the requests that may wait for one address, a phone is told to retry, and its log has it', async () => {
  const { id, call, file } = await configured('0c383e00b109');
  await withSettings({ phoneRequestsPerAddress: 1 }, async (port) => {
    const get = `GET ${file} HTTP/1.1\r\nhost: x\r\n`;
    const [own, other] = await Promise.all([
      // Both requests arrive in one piece.
      send(port, `${get}\r\n${get}connection: close\r\n\r\n`, '127.0.0.61'),
      statusOf(file, { from: '127.0.0.62' }, port),
    ]);
    expect(own).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 503 [^]*retry-after: 10/i);
    expect(other).toBe(200);
  });
  const recorded = await call(listConfigRequests, { params: { id } });
  expect(recorded.find((r) => r.outcome === 'tooMany')).toMatchObject({ times: 1 });
});

test('with a certificate the port speaks HTTPS, and a renewed one is used [EDGE-01/https]', async () => {
  const { id, own, file } = await configured('0c383e00b110');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-phones-'));
  const [certificate, privateKey] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  const renew = async (): Promise<string> => {
    const pair = await generate([{ name: 'commonName', value: 'localhost' }]);
    writeFileSync(certificate, pair.cert);
    writeFileSync(privateKey, pair.private);
    return pair.cert;
  };
  const first = await renew();
  try {
    await withSettings(
      { phoneTlsCertificate: certificate, phoneTlsKey: privateKey, publicUrl: 'https://carillon.example' },
      async (port, one) => {
        const address = await one.as(own)(getDeviceConfigAddress, { params: { id } });
        expect(address.origin).toBe(`https://carillon.example:${port}`);
        expect(await statusOf(file, { ca: first }, port)).toBe(200);
        const second = await renew();
        process.emit('SIGHUP');
        expect(await statusOf(file, { ca: second }, port)).toBe(200);
        await expect(ask(port, file)).rejects.toThrow();
      },
    );
    await withSettings({ phoneUrl: 'https://phones.example/' }, async (_, one) => {
      const address = await one.as(own)(getDeviceConfigAddress, { params: { id } });
      expect(address.origin).toBe('https://phones.example');
    });
    await expect(start({ phoneTlsCertificate: certificate }, service)).rejects.toThrow('phoneTlsKey');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an address with many forged tokens is throttled, and its phones are served [EDGE-02/forged]', async () => {
  const { file } = await configured('0c383e00b104');
  const lines: string[] = [];
  setLogDestination({ write: (line) => void lines.push(line) });
  try {
    const from = '127.0.0.41';
    expect(await statuses(20, forged, { from })).toEqual([...times(5, 404), ...times(15, 429)]);
    expect((await ask(phonePortOf(service), forged(1), { from })).headers['retry-after']).toBe('60');
    expect(await statusOf(file, { from })).toBe(200);
    expect(await statusOf(forged(1), { from: '127.0.0.42' })).toBe(404);
  } finally {
    setLogDestination(undefined);
  }
  const answer = lines.filter((line) => line.includes('forged'));
  expect(answer.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ network: '127.0.0.41' }]);
  expect(lines.join('')).not.toContain('AAAA');
});

test('a token with many foreign file names is throttled, and its device is served [EDGE-02/foreign]', async () => {
  const { id, call, file, folder } = await configured('0c383e00b105');
  const other = await configured('0c383e00b106');
  const foreign = (n: number): string => `${folder}0c383e00c${100 + n}.cfg`;
  expect(await statuses(12, foreign)).toEqual([...times(5, 404), ...times(7, 429)]);
  expect([await statusOf(file), await statusOf(other.file)]).toEqual([200, 200]);
  await eventually(() => expect(events.filter((e) => e.deviceId === id)).toHaveLength(1));
  expect(events.find((e) => e.deviceId === id)).toMatchObject({
    mac: '0c383e00b105',
    payload: { kind: 'tamper', detail: { reason: 'foreignFiles', address: '127.0.0.1' } },
  });
  await eventually(async () => {
    const outcomes = (await call(listConfigRequests, { params: { id } })).map((r) => r.outcome);
    expect(outcomes.filter((one) => one === 'tooMany')).toHaveLength(7);
  });
  // A token that was renewed raises no alarm, and uses up nothing of the current one.
  await publishDevice(bus, other.own, other.id, { mac: '0c383e00b106', model: 'X4U', secretMark: 'mark2' });
  await eventually(async () => expect(await statusOf(other.file)).toBe(404));
  await statuses(12, (n) => `${other.folder}name-${n}.cfg`);
  const renewed = await other.call(getDeviceConfigAddress, { params: { id: other.id } });
  expect(await statusOf(renewed.file!)).toBe(200);
  expect(events.map((e) => e.deviceId)).toEqual([id]);
});

test('a device that asks too often gets 429 and a log entry, and delays no other [EDGE-02/device-rate]', async () => {
  const { id, call, file } = await configured('0c383e00b107');
  const other = await configured('0c383e00b108');
  await withSettings({ deviceRequestsPerMinute: 3 }, async (port) => {
    // The first one has to prove its token.
    expect(await statuses(6, () => file, {}, port)).toEqual([...times(4, 200), 429, 429]);
    expect(await statusOf(other.file, {}, port)).toBe(200);
  });
  const recorded = await call(listConfigRequests, { params: { id } });
  expect(recorded.find((r) => r.outcome === 'tooMany')).toMatchObject({ times: 2 });
});

test('behind a proxy that is trusted, the client that it names counts, and nobody else may name one', async () => {
  await withSettings({ trustedProxies: '127.0.0.1', forgedTokensPerMinute: 2 }, async (port) => {
    const by = (client: string, from = '127.0.0.1') => ({ headers: { 'x-forwarded-for': client }, from });
    expect(await statuses(3, forged, by('192.0.2.9, 203.0.113.7'), port)).toEqual([404, 404, 429]);
    expect(await statuses(1, forged, by('203.0.113.8'), port)).toEqual([404]);
    const foreign = (n: number) => by(`203.0.113.${n}`, '127.0.0.51');
    expect([
      await statusOf(forged(1), foreign(1), port),
      await statusOf(forged(1), foreign(2), port),
      await statusOf(forged(1), foreign(3), port),
    ]).toEqual([404, 404, 429]);
  });
});
