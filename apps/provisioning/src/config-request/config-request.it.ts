import { afterAll, beforeAll, expect, test } from 'vitest';
import { addConfigTemplate, getDeviceConfigAddress, listConfigRequests, type ConfigOutcome } from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { ConfigRequestLog } from './config-request.log.ts';
import { ConfigRequestRetention } from './config-request.retention.ts';

let bus: PostgresBus;
let service: TestedService;

beforeAll(async () => {
  bus = await testBus('config_request_bus');
  service = await startProvisioning(bus, {
    deviceRequestsPerMinute: 0,
    foreignFilesPerMinute: 0,
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor) => service.as(as);
/** Publishes a Fanvil phone; null deletes it. */
const publish = (as: Actor, id: string, mac: string, more: object | null = {}) =>
  publishDevice(bus, as, id, more && { mac, model: 'X4U', secretMark: 'mark1', ...more });
const asked = async (as: Actor, id: string) => call(as)(listConfigRequests, { params: { id } });
const outcomes = async (as: Actor, id: string) =>
  Object.fromEntries((await asked(as, id)).map((r) => [`${r.outcome} ${r.file}`, r.times]));
const load = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });
  return { status: answer.statusCode, etag: String(answer.headers.etag) };
};

/** Creates a company with a phone and a template for it, and returns the address of its file. */
async function configured(mac: string) {
  const own = newActor();
  const id = uuidv7();
  await publish(own, id, mac);
  await call(own)(addConfigTemplate, {
    body: { name: 'All', description: '', level: 'general', target: null, values: { 'network.vlan': 7 } },
  });
  const address = await eventually(async () => {
    const { folder, file } = await call(own)(getDeviceConfigAddress, { params: { id } });
    expect((await load(file!)).status).toBe(200);
    return { folder, file: file! };
  });
  return { own, id, ...address };
}

test('every request of a device is recorded with its outcome, the refused ones too [EDGE-02/log]', async () => {
  const mac = '0c383e00a101';
  const { own, id, folder, file } = await configured(mac);
  const agent = { 'user-agent': `Fanvil X4U 2.12.16.17 ${mac}` };
  const { etag } = await load(file, agent);
  expect((await load(file, { ...agent, 'if-none-match': etag })).status).toBe(304);
  expect((await load(`${folder}f0x4u0000000.cfg`, agent)).status).toBe(404);
  expect((await load(`${folder}0c383e00a102.cfg`, agent)).status).toBe(404);
  await eventually(async () =>
    expect(await outcomes(own, id)).toMatchObject({
      [`loaded ${mac}.cfg`]: expect.any(Number),
      [`unchanged ${mac}.cfg`]: 1,
      'otherFile f0x4u0000000.cfg': 1,
      'otherFile 0c383e00a102.cfg': 1,
    }),
  );
  const [last] = (await asked(own, id)).filter((r) => r.outcome === 'unchanged');
  expect(last).toMatchObject({ userAgent: agent['user-agent'], times: 1 });

  // A name that is longer in lower case, with what no file name has.
  expect((await load(`${folder}${encodeURIComponent(`\u0130'\n`.repeat(20))}`)).status).toBe(404);
  // Equal requests are counted, and the token of the former secret is told apart.
  await load(`${folder}f0x4u0000000.cfg`, { 'user-agent': 'x'.repeat(2_000) });
  await publish(own, id, mac, { secretMark: 'mark2' });
  const found = (request: string) =>
    eventually(async () => {
      await load(file);
      expect(await outcomes(own, id)).toHaveProperty([request]);
    });
  await found(`oldAddress ${mac}.cfg`);
  await publish(own, id, mac, { secretMark: 'mark2', enabled: false });
  await found(`nothing ${mac}.cfg`);
  expect((await outcomes(own, id))['otherFile f0x4u0000000.cfg']).toBe(2);
  const recorded = await asked(own, id);
  expect(recorded.every(({ userAgent }) => userAgent.length <= 256)).toBe(true);
  expect(recorded.filter(({ file }) => /^[i?]{60,64}$/.test(file))).toHaveLength(1);
  const refused: unknown = await asked(newActor(), id).catch((e: { error: string }) => e.error);
  expect(refused).toBe('common.notFound');
});

test('requests that name a device by its MAC alone push none of its own out of its log', async () => {
  const mac = '000413a10001';
  const { own, id } = await configured(mac);
  await eventually(async () => expect(await outcomes(own, id)).toHaveProperty(`loaded ${mac}.cfg`));
  const log = service.app.get(ConfigRequestLog);
  const asks = (n: number) =>
    log.note({ mac, file: `snom${n}-${mac}.htm`, outcome: 'firstAddress', userAgent: 'snom', address: '127.0.0.9' });
  for (let n = 0; n < 60; n++) asks(n);
  await eventually(async () => {
    const found = Object.keys(await outcomes(own, id));
    expect(found).toHaveLength(40);
    expect(found).toContain(`loaded ${mac}.cfg`);
  });
});

test('a device keeps forty different requests at most, and loses them when it is deleted or they are old', async () => {
  const mac = '0c383e00a103';
  const { own, id, folder } = await configured(mac);
  for (let n = 0; n < 60; n++) await load(`${folder}name-${n}.cfg`);
  const latest = (n: number): `${ConfigOutcome} ${string}` => `otherFile name-${n}.cfg`;
  await eventually(async () => {
    const found = Object.keys(await outcomes(own, id));
    expect(found).toHaveLength(40);
    expect(found).toContain(latest(59));
    expect(found).not.toContain(latest(0));
  });
  const sql = (text: string) =>
    transaction(service.database, companySession(own.companyId), () => currentSql().query(text, [id]));
  await sql(
    `
      update config_request r
      set last_at = now() - interval '31 days'
      where r.device_id = $1 and r.file <> 'name-59.cfg'
    `,
  );
  await service.app.get(ConfigRequestRetention).forget();
  expect(Object.keys(await outcomes(own, id))).toEqual([latest(59)]);
  await publish(own, id, mac, null);
  await eventually(async () => {
    const { rows } = await sql('select 1 from config_request r where r.device_id = $1');
    expect(rows).toEqual([]);
  });
});
