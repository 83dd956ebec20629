import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { addDevice } from '@carillon/contracts';
import { makeInventory } from '@carillon/simulator/inventory';
import { up } from '/work/wt/mqtt/loadtest/lib/instance.ts';
import { k6Path } from '/work/wt/mqtt/loadtest/k6/build.ts';
import { join } from 'node:path';
const instance = await up({ devices: 0 });
try {
const devices = [];
for (const item of makeInventory(5, 7)) { const { device, secret } = await instance.call(addDevice, { body: item }); devices.push({ mac: device.mac, id: device.id, secret }); }
writeFileSync('/tmp/mqtt/devices.json', JSON.stringify(devices));
const { admin, client } = JSON.parse(readFileSync(join(instance.data, 'secrets.json'), 'utf8'));
spawnSync(k6Path(), ['run', '--quiet', '--no-usage-report', '/work/wt/mqtt/loadtest/k6/scripts/smoke.js'], { stdio: 'inherit', env: { ...process.env, URL: instance.url, MQTT: `mqtt://127.0.0.1:${instance.mqttPort}`, DEVICES: '/tmp/mqtt/devices.json', USERNAME: admin.username, PASSWORD: admin.password, CLIENT_ID: client.id, CLIENT_SECRET: client.secret, MINUTE: '10', SHARE: '1', SUMMARY: '/tmp/mqtt/summary.json' } });
} finally { instance.down(); }
