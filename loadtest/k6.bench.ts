import { devicePlace } from '@carillon/testing/device-place';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addDevice } from '@carillon/contracts';
import { bench } from '@carillon/devtools/bench';
import { makeInventory } from '@carillon/simulator/inventory';
import { buildK6 } from './k6/build.ts';
import { resultPage, type Summary } from './k6/page.ts';
import { root, up } from './lib/instance.ts';

/**
 * `./carillon bench k6 smoke [load stress spike soak]`: runs the plans of loadtest/k6/scripts against a new
 * installation. `--minute 2` shortens a minute of a plan to two seconds, `--share 0.1` runs a tenth of its load. A
 * missed threshold makes the exit code 1. Each run writes a summary to reports/k6, and a page there compares all.
 */
const plans = readdirSync(join(import.meta.dirname, 'k6/scripts'))
  .filter((n) => n.endsWith('.js'))
  .map((n) => n.slice(0, -3));
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    devices: { type: 'string' },
    minute: { type: 'string', default: '60' },
    share: { type: 'string', default: '1' },
    thresholds: { type: 'string', default: '' },
  },
});
const asked = positionals.length > 0 ? positionals : ['smoke'];
for (const name of asked)
  if (!plans.includes(name)) throw new Error(`There is no plan "${name}"; there are ${plans.join(', ')}.`);
const count = Number(values.devices ?? (asked.every((name) => name === 'smoke') ? 10 : 200));
const reports = join(root, 'reports/k6');

async function run(k6: string, name: string, environment: Record<string, string>): Promise<Summary> {
  const file = join(reports, `${name}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
  // Passwords and secrets are passed by environment and file, never on the command line.
  const child = spawn(
    k6,
    [
      'run',
      '--quiet',
      '--no-usage-report',
      '--no-color',
      '--address',
      '',
      join(import.meta.dirname, 'k6/scripts', `${name}.js`),
    ],
    { stdio: 'inherit', env: { ...process.env, ...environment, SUMMARY: file } },
  );
  const code = await new Promise<number>((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
  });
  // 99 means a missed threshold; any other code means that there is no result.
  if (code !== 0 && code !== 99) throw new Error(`k6 ended with ${code}`);
  const summary = {
    plan: name,
    at: new Date().toISOString(),
    minute: Number(values.minute),
    share: Number(values.share),
    devices: count,
    ...(JSON.parse(readFileSync(file, 'utf8')) as object),
  } as Summary;
  writeFileSync(file, JSON.stringify(summary));
  return summary;
}

await bench('k6', async () => {
  const k6 = buildK6((text) => process.stderr.write(`  ${text}\n`));
  mkdirSync(reports, { recursive: true });
  // One session makes the calls of all users of a plan, so its limit would be measured instead.
  process.env['CARILLON_SESSION_CALLS_PER_MINUTE'] = '0';
  process.stdout.write('The limit of calls of one session is set off.\n');
  const instance = await up({ devices: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'carillon-k6-'));
  try {
    const devices: { mac: string; id: string; secret: string }[] = [];
    for (const item of makeInventory(count, 7)) {
      const { device, secret } = await instance.call(addDevice, {
        body: { ...(await devicePlace(instance.call)), ...item },
      });
      devices.push({ mac: device.mac, id: device.id, secret });
    }
    const file = join(folder, 'devices.json');
    writeFileSync(file, JSON.stringify(devices), { mode: 0o600 });
    const { admin, client } = JSON.parse(readFileSync(join(instance.data, 'secrets.json'), 'utf8')) as {
      admin: { username: string; password: string };
      client: { id: string; secret: string };
    };
    for (const name of asked) {
      const summary = await run(k6, name, {
        URL: instance.url,
        MQTT: `mqtt://127.0.0.1:${instance.mqttPort}`,
        DEVICES: file,
        USERNAME: admin.username,
        PASSWORD: admin.password,
        CLIENT_ID: client.id,
        CLIENT_SECRET: client.secret,
        MINUTE: String(values.minute),
        SHARE: String(values.share),
        THRESHOLDS: String(values.thresholds),
      });
      process.stdout.write(`\n${name}: ${count} devices, ${(summary.state.testRunDurationMs / 1000).toFixed(0)} s\n`);
      for (const [metric, { values: of, thresholds }] of Object.entries(summary.metrics)) {
        for (const [limit, { ok }] of Object.entries(thresholds ?? {})) {
          const key = limit.split(/[<>=]/)[0]!;
          process.stdout.write(
            `${ok ? 'ok  ' : 'MISS'} ${metric}: ${key} ${(of[key] ?? 0).toFixed(2)}, wanted ${limit}\n`,
          );
          if (!ok) process.exitCode = 1;
        }
      }
    }
    const all = readdirSync(reports)
      .filter((n) => n.endsWith('.json'))
      .sort()
      .map((n) => JSON.parse(readFileSync(join(reports, n), 'utf8')) as Summary)
      .filter((s) => s.plan !== undefined);
    // A summary without a plan comes from a run that was stopped from outside.
    writeFileSync(join(reports, 'index.html'), resultPage(all));
    process.stdout.write(`\nAll runs: reports/k6/index.html\n`);
  } finally {
    instance.down();
    rmSync(folder, { recursive: true, force: true });
  }
});
