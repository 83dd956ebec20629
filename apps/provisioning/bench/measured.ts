import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import {
  addConfigTemplate,
  addSipAccountRange,
  addSipServer,
  editConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  previewConfigTemplate,
  provisioningDeviceConfig,
} from '@carillon/contracts';
import { setLogDestination } from '@carillon/observability';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService } from '@carillon/testing';
import { PhonePort } from '../src/phone-port/phone-port.ts';
import { provisioningService } from '../src/provisioning.module.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const [loads, inFlight] = [3_000, 32];
const own = newActor();

/** What was measured, each with the figure of the same run that it is compared with. */
export interface Measured {
  /** Seconds from a changed template until all configurations are published; one statement that changes the rows. */
  made: { ours: number[]; bare: number[] };
  /** Milliseconds for what one device is to have. */
  one: number[];
  /** Files a second. */
  sent: { ours: number[]; bare: number[] };
  /** Milliseconds until it is known what a changed template reaches; one statement that counts the same devices. */
  previewed: { ours: number[]; bare: number[] };
}

type Service = Awaited<ReturnType<typeof testService>>;
const sql = <Row extends object = object>(service: Service, text: string, given: unknown[] = []) =>
  transaction(service.database, companySession(own.companyId), () => currentSql().query<Row>(text, given));

/** Adds devices of one model, each with an account on its first line. */
async function fill(service: Service, devices: number): Promise<void> {
  const call = service.as(own);
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const place = { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp' as const };
  const server = await call(addSipServer, { body: { ...place, ...none } });
  const shared = { name: '', displayName: 'Desk', serverId: server.id, authPassword: 'wallaby-93' };
  for (let from = 1; from <= devices; from += 1_000) {
    const [first, last] = [from, Math.min(devices, from + 999)].map((n) => String(100_000 + n));
    await call(addSipAccountRange, { body: { ...shared, from: first!, to: last! } });
  }
  await sql(
    service,
    `
      insert into device_copy (
        id, company_id, org_id, name, mac, model, owner_epoch, enabled, secret_mark, accounts, group_ids, version, era
      )
      select gen_random_uuid(), $1, $2, 'Phone', lpad(to_hex(a.n), 12, '0'), 'X4U', 1, true, 'mark',
        jsonb_build_array(jsonb_build_object('line', 1, 'accountId', a.id, 'status', 'registered')), '{}', 1, 1
      from (select id, row_number() over (order by id) as n from sip_account) a
    `,
    [own.companyId, own.orgId],
  );
}

/** Runs the service with its database and bus in this process. */
export async function measure(devices: number, runs: number): Promise<Measured> {
  setLogDestination(undefined, 'error');
  const bus = await testBus('config_bench');
  const service = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: key,
    phonePort: 0,
    // All devices of the bench have one address, and load many times.
    deviceRequestsPerMinute: 0,
  });
  try {
    let published = 0;
    await bus.fanout({
      topics: [provisioningDeviceConfig.name],
      from: 'start',
      handle: ({ records }) => void (published += records.length),
    });
    await fill(service, devices);
    const call = service.as(own);
    const vlan = (n: number) => ({ name: 'All', description: '', values: { 'network.vlan': n } });
    const { id } = await call(addConfigTemplate, { body: { ...vlan(1), level: 'general', target: null } });
    const all = (count: number) =>
      eventually(() => {
        if (published < count) throw new Error(`${published} of ${count}`);
      }, 600_000);
    await all(devices);
    const made = { ours: [] as number[], bare: [] as number[] };
    for (let run = 0; run < runs; run++) {
      const until = published + devices;
      let began = performance.now();
      await call(editConfigTemplate, { body: { id, ...vlan(run + 2) } });
      await all(until);
      made.ours.push((performance.now() - began) / 1_000);
      began = performance.now();
      await sql(service, 'update device_config set loaded_version = left(md5(id::text || $1), 12)', [String(run)]);
      made.bare.push((performance.now() - began) / 1_000);
    }
    return { made, ...(await served(service, runs)), previewed: await previewed(service, runs) };
  } finally {
    await service.close();
    await bus.close();
  }
}

async function served(service: Service, runs: number): Promise<Pick<Measured, 'one' | 'sent'>> {
  const call = service.as(own);
  const devices = 'select id, mac from device_copy order by id limit 200';
  const { rows } = await sql<{ id: string; mac: string }>(service, devices);
  const one: number[] = [];
  for (let n = 0; n < 1_000; n++) {
    const began = performance.now();
    await call(getDeviceConfig, { params: { id: rows[n % rows.length]!.id } });
    // The first ones only warm up.
    if (n >= 200) one.push(performance.now() - began);
  }
  const paths: string[] = [];
  for (const { id, mac } of rows)
    paths.push(`${(await call(getDeviceConfigAddress, { params: { id } })).folder}${mac}.txt`);
  const ours = service.app.get(PhonePort).port;
  const text = await (await fetch(`http://127.0.0.1:${ours}${paths[0]!}`)).text();
  const plain = createServer((_, response) => response.end(text));
  const bare = await new Promise<number>((listening) => {
    plain.listen(0, '127.0.0.1', () => listening((plain.address() as AddressInfo).port));
  });
  const sent = { ours: [] as number[], bare: [] as number[] };
  for (let run = 0; run <= runs; run++) {
    const [a, b] = [await loadAll(ours, paths), await loadAll(bare, paths)];
    if (run === 0) continue;
    sent.ours.push(a);
    sent.bare.push(b);
  }
  plain.close();
  return { one, sent };
}

/** Previews a changed template for all devices of another company, which has 50,000 of 20 models in 500 sites. */
async function previewed(service: Service, runs: number): Promise<Measured['previewed']> {
  const other = newActor();
  const call = service.as(other);
  const within = <T>(work: () => Promise<T>) => transaction(service.database, companySession(other.companyId), work);
  await within(async () => {
    await currentSql().query(
      `
        insert into site_copy (id, company_id, name, version, era)
        select gen_random_uuid(), $1, 'Site ' || n, 1, 1 from generate_series(1, 500) n
      `,
      [other.companyId],
    );
    await currentSql().query(
      `
        insert into device_copy (
          id, company_id, org_id, name, mac, model, site_id, owner_epoch, enabled, secret_mark, accounts, group_ids,
          version, era
        )
        select gen_random_uuid(), $1, $2, 'Phone', lpad(to_hex(n), 12, 'a'), 'M' || n % 20, s.ids[1 + n % 500], 1, true,
          'mark', '[]', '{}', 1, 1
        from generate_series(1, 50000) n, (select array_agg(id) as ids from site_copy) s
      `,
      [other.companyId, other.orgId],
    );
    await currentSql().query('analyze device_copy');
  });
  const values = { 'network.vlan': 1, 'phone.language': 'en' } as const;
  const named = { description: '', values };
  const { id } = await call(addConfigTemplate, { body: { ...named, name: 'All', level: 'general', target: null } });
  for (const model of ['M1', 'M2'])
    await call(addConfigTemplate, { body: { ...named, name: model, level: 'model', target: model } });
  const taken = { ours: [] as number[], bare: [] as number[] };
  const changed = JSON.stringify({ ...values, 'network.vlan': 2 });
  for (let run = 0; run <= runs; run++) {
    const began = performance.now();
    const { devices, changed: reached } = await call(previewConfigTemplate, { query: { id, values: changed } });
    const between = performance.now();
    await within(() => currentSql().query('select model, site_id, count(*) from device_copy group by 1, 2'));
    if (devices !== 50_000 || reached !== 45_000) throw new Error(`${reached} of ${devices} devices`);
    if (run === 0) continue;
    taken.ours.push(between - began);
    taken.bare.push(performance.now() - between);
  }
  return taken;
}

/** Loads files from a separate thread. Returns how many a second. */
function loadAll(port: number, paths: readonly string[]): Promise<number> {
  const client = `
    const { parentPort, workerData } = require('node:worker_threads');
    const http = require('node:http');
    const { port, paths, loads, inFlight } = workerData;
    const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
    const load = (path) => new Promise((resolve, reject) => http.get({ port, path, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error('status ' + answer.statusCode));
      answer.on('end', resolve).resume();
    }).on('error', reject));
    let next = 0;
    const began = performance.now();
    const turn = async () => { while (next < loads) await load(paths[next++ % paths.length]); };
    Promise.all(Array.from({ length: inFlight }, turn))
      .then(() => { agent.destroy(); parentPort.postMessage(loads / ((performance.now() - began) / 1000)); });
  `;
  return new Promise((resolve, reject) => {
    new Worker(client, { eval: true, workerData: { port, paths, loads, inFlight } })
      .on('message', resolve)
      .on('error', reject);
  });
}
