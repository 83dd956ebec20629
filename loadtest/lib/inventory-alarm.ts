import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { chromium, type Browser, type Page } from 'playwright-core';
import { linkReport, listAlarms, type LineStatus } from '@carillon/contracts';
import { percentile, report, runs, spread } from '@carillon/devtools/bench';
import { envelope, toRecord, type Bus } from '@carillon/messaging';
import { busOf } from '@carillon/testing/fleet';
import { launch, logIn } from './browser.ts';
import { up, withoutDeviceLimits, type Instance } from './instance.ts';
import {
  bareTables,
  closeDatabases,
  openDatabases,
  ownerOf,
  pause,
  seconds,
  sized,
  until,
  within,
  written,
} from './inventory.ts';
import { askSimulator } from './simulator.ts';

const count = sized(15_000);
const many = sized(10_000);
/** Registrations that are lost in a run, one after the other. */
const losses = 40;

interface Known {
  deviceId: string;
  mac: string;
  orgId: string;
  name: string;
  epoch: number;
  ownerEpoch: number;
}

/**
 * 15,000 connected devices: one loses its registration, and its alarm appears in a browser with an open alarm list.
 * Alternates with a committed row and an event to a plain page in the same browser. Then 10,000 devices lose theirs at
 * one server, as the gateway would report it, until they are one line with their number; compared with as many alarm
 * rows in a plain table.
 */
export async function alarmPart(): Promise<void> {
  process.stdout.write('     admission rates and limits of connections are set off\n');
  const instance = await up({ devices: count, env: withoutDeviceLimits });
  const databases = await openDatabases(instance);
  const bus = await busOf(instance.data, instance.postgres().host);
  const browser = await chromium.launch(launch);
  try {
    const online = async () =>
      (await databases.device.query<{ n: number }>('select count(*)::int as n from device where online')).rows[0]!.n ===
      count;
    await until(online, 1_000, 900_000);
    await pause(5_000);
    const { rows: known } = await databases.device.query<Known>(`
      select id as "deviceId", mac, org_id as "orgId", name, epoch::float8 as epoch, owner_epoch as "ownerEpoch"
      from device
      where state = 'online'
      order by mac
    `);
    const single = known.slice(many);
    if (single.length < losses * runs()) throw new Error(`only ${known.length} of ${count} devices are online`);

    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await logIn(page, instance);
    await page.goto(`${instance.url}/alarm`);
    await page.getByText('Live', { exact: true }).first().waitFor();
    const bare = await barePage(browser, databases.notification);
    await bareTables(databases.notification, 'alarm');

    const [p95s, medians, bareP95s, storms, bareStorms]: number[][] = [[], [], [], [], []];
    for (let run = 0; run < runs(); run++) {
      const [ours, floor]: [number[], number[]] = [[], []];
      for (let n = run * losses; n < (run + 1) * losses; n++) {
        ours.push(await lose(instance, page, single[n]!, `pbx-${n}.loss.example`));
        floor.push(await bare.lose(`pbx-${n}.loss.example`));
        // The next one comes at a random moment, not in step with the stream.
        await pause(Math.random() * 1_000);
      }
      p95s!.push(percentile(ours, 0.95));
      medians!.push(percentile(ours, 0.5));
      bareP95s!.push(percentile(floor, 0.95));
      storms!.push(await storm(instance, bus, known.slice(0, many), run + 1));
      bareStorms!.push(await seconds(() => bareStorm(databases.notification, known.slice(0, many))));
    }
    await bare.close();
    report(
      {
        name: `from a lost registration among ${written(count)} devices to the open browser, p95 of ${losses}`,
        unit: 'ms',
        value: spread(p95s!).median,
        atMost: 1_000,
        beside: { name: 'a committed row and an event to a bare page', value: spread(bareP95s!).median },
      },
      spread(p95s!),
    );
    report({ name: '… p50', unit: 'ms', value: spread(medians!).median }, spread(medians!));
    report(
      {
        name: `${written(many)} equal alarms in one line`,
        unit: 's',
        value: spread(storms!).median,
        atMost: 5,
        beside: { name: 'as many rows of a bare table', value: spread(bareStorms!).median },
      },
      spread(storms!),
    );
  } finally {
    await browser.close();
    await bus.close();
    await closeDatabases(databases);
    instance.down();
  }
}

/** Waits for a row of a page with this text. */
const shown = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    (text) =>
      new Promise<void>((done) => {
        const look = () => {
          const rows = [...document.querySelectorAll('main [data-id]')];
          if (!rows.some((row) => row.checkVisibility() && row.textContent.includes(text))) return;
          seen.disconnect();
          done();
        };
        const seen = new MutationObserver(look);
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      }),
    text,
  );

async function lose(instance: Instance, page: Page, { mac }: Known, server: string): Promise<number> {
  const seen = shown(page, server);
  const began = performance.now();
  const lines = [{ line: 1, account: '2001', server, status: 'failed' }];
  await Promise.all([within(60_000, seen), askSimulator(instance, 'POST', '/state', { mac, lines })]);
  return performance.now() - began;
}

/** A page that shows each event, and a server that reports a row as soon as it is committed. */
async function barePage(browser: Browser, client: pg.Client) {
  await client.query('create schema if not exists floor');
  await client.query('create table floor.loss (id bigint generated always as identity, server text not null)');
  let stream: ServerResponse | undefined;
  const http = createServer((question, answer) => {
    if (question.url === '/live') {
      stream = answer.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.flushHeaders();
    } else
      answer.writeHead(200, { 'content-type': 'text/html' }).end(`<main></main><script>
        new EventSource('/live').onmessage = ({ data }) => {
          document.querySelector('main').insertAdjacentHTML('afterbegin', '<p data-id="1">' + data + '</p>');
        };
      </script>`);
  });
  await new Promise<void>((listening) => {
    http.listen(0, '127.0.0.1', listening);
  });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
  await until(() => stream !== undefined);
  return {
    async lose(server: string): Promise<number> {
      const seen = shown(page, server);
      const began = performance.now();
      await client.query('insert into floor.loss (server) values ($1)', [server]);
      stream!.write(`data: ${server}\n\n`);
      await within(60_000, seen);
      return performance.now() - began;
    },
    async close(): Promise<void> {
      await page.close();
      http.close();
      http.closeAllConnections();
    },
  };
}

/** Returns the seconds until all are one line; each run uses another line. Then they register again. */
async function storm(instance: Instance, bus: Bus, devices: readonly Known[], line: number): Promise<number> {
  const { companyId } = ownerOf(instance);
  const server = `pbx-${line}.storm.example`;
  const publish = async (status: LineStatus): Promise<void> => {
    for (let at = 0; at < devices.length; at += 500)
      await bus.publish(
        devices.slice(at, at + 500).map(({ deviceId, mac, ownerEpoch, epoch, orgId }) => {
          const now = Date.now();
          const payload = { at: now, lines: [{ line, account: '2001', server, status }] };
          return toRecord(
            linkReport,
            deviceId,
            { deviceId, mac, ownerEpoch, epoch, receivedAt: now, payload },
            envelope('state', { companyId, orgId }),
          );
        }),
      );
  };
  const open = async (): Promise<number[]> =>
    (await instance.call(listAlarms, { query: { causeName: [server], limit: 20 } })).records.map((one) => one.open);
  const began = performance.now();
  await publish('failed');
  const done = await until(async () => (await open()).includes(devices.length));
  const lines = (await open()).length;
  if (lines !== 1) throw new Error(`equal alarms stand in ${lines} lines`);
  await publish('registered');
  await until(async () => (await open()).every((left) => left === 0));
  return (done - began) / 1000;
}

async function bareStorm(client: pg.Client, devices: readonly Known[]): Promise<void> {
  await client.query('begin');
  for (let at = 0; at < devices.length; at += 500)
    await client.query(
      `
        insert into floor.alarm (
          id, company_id, org_id, line_id, kind, device_id, sub, device_name, mac, count, began_at, last_at, raised_at,
          silenced
        )
        select gen_random_uuid(), m."orgId", m."orgId", m."orgId", 0, m."deviceId", 1, m.name, m.mac, 1, now(), now(),
          now(), false
        from jsonb_to_recordset($1::jsonb) as m("deviceId" uuid, "orgId" uuid, name text, mac text)
      `,
      [JSON.stringify(devices.slice(at, at + 500))],
    );
  await client.query('commit');
  await client.query('truncate floor.alarm');
}
