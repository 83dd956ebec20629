import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addTask,
  getDevice,
  listDevices,
  openFirstAccess,
  previewTask,
} from '@carillon/contracts';
import { makePhones } from '@carillon/simulator/inventory';
import { devicePlace, eventually, rawRequest } from '@carillon/testing';
import { Platform, projectRoot } from '@carillon/testing/platform';

/** The phones over HTTP of `./carillon simulate`. */
let platform: Platform;
let env: Record<string, string>;

beforeAll(async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  env = { CARILLON_PHONE_SIP_PORT: String(socket.address().port) };
  socket.close();
  platform = await Platform.start({ name: 'simulated-phone', devices: 1, env });
});
afterAll(() => platform?.close());

/** Runs `./carillon simulate --kind` until the work has ended. */
async function simulating<T>(kind: string, count: number, work: () => Promise<T>): Promise<T> {
  const args = ['simulate', '--data', platform.folder, '--kind', kind, '--devices', String(count)];
  const child = spawn(join(projectRoot, 'carillon'), args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await work();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Requests a path of the control socket of the phones. */
const control = async <T>(name: string, path: string): Promise<T> =>
  (
    await rawRequest(
      { socketPath: join(platform.folder, 'run', `${name}.sock`) },
      { path, headers: { host: '127.0.0.1' } },
    )
  ).json as T;

it('simulated phones of each maker come online when they are let in, and a task restarts them', async () => {
  const makers = ['Fanvil', 'Yealink', 'Grandstream', 'Snom', 'Poly', 'Akuvox', 'Htek'] as const;
  const values = { 'time.server': 'ntp.example' };
  const template = { name: 'All', description: '', level: 'general' as const, target: null, values };
  await platform.call(addConfigTemplate, { body: template });
  const place = await devicePlace(platform.call);
  const ids: string[] = [];
  for (const phone of makePhones(makers, makers.length, 1))
    ids.push((await platform.call(addDevice, { body: { ...place, ...phone } })).device.id);
  await eventually(() => platform.call(openFirstAccess, { body: { ids } }));
  await simulating(makers.join(',').toLowerCase(), makers.length, async () => {
    await eventually(async () => {
      const { records } = await platform.call(listDevices, { query: { channel: ['http'], state: 'online' } });
      expect(records.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }, 60_000);
    const body = { action: 'reboot', params: {}, target: { ids } };
    const { skipped } = await platform.call(previewTask, { query: {}, body });
    // Poly's and Akuvox's phones take no NOTIFY for a restart.
    expect(skipped.map(({ code, message }) => `${code}: ${message}`).sort()).toEqual([
      'unsupported: The CCX 500 cannot do this',
      'unsupported: The SP-R63G cannot do this',
    ]);
    const { id } = await platform.call(addTask, { body: { name: 'Restart', ...body } });
    expect((await platform.ended(id)).counts).toMatchObject({ success: 5, fail: 2 });
    expect(await control('simulator-sold', '/stats')).toMatchObject({ connected: 7, effects: { restart: 5 } });
    expect(await platform.call(getDevice, { params: { id: ids[0]! } })).toMatchObject({ state: 'online' });
  });
});
