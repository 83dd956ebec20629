import { afterAll, expect } from 'vitest';
import { addTask, audit, firmwareState, taskFile } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks } from '../task-test.ts';

const part = (name: string) => ({
  fileId: uuidv7(),
  fileName: `${name}.bin`,
  size: 1_000,
  sha256: 'ab'.repeat(32),
  signature: 'c2ln',
});
export const body = (firmwareId: string, devices: readonly LinkedDevice[], params: object = {}) => ({
  name: 'Upgrade',
  action: 'firmwareUpgrade',
  params: { firmwareId, ...params },
  target: { ids: devices.map((d) => d.identity.deviceId) },
});

async function openUpgrades() {
  /** Events about files of tasks for the store, latest last. */
  const published: { taskId: string; state: 'open' | 'stopped' | 'ended' }[] = [];
  /** Entries of the operation log about rollbacks that were refused. */
  const refused: Record<string, unknown>[] = [];
  const rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
  await rig.bus.fanout({
    topics: [taskFile.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records) {
        const data = value === null ? null : (JSON.parse(value) as { stopped: boolean });
        published.push({ taskId: key!, state: data === null ? 'ended' : data.stopped ? 'stopped' : 'open' });
      }
      return Promise.resolve();
    },
  });
  await rig.bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { value } of records) {
        const { action, objectId, userId, result } = JSON.parse(value!) as Record<string, unknown>;
        if (action === 'task.rollback' && result !== 'success') refused.push({ action, objectId, userId, result });
      }
      return Promise.resolve();
    },
  });
  afterAll(() => rig.close());
  return { rig, published, refused };
}

function upgradeCalls({ rig }: Awaited<ReturnType<typeof openUpgrades>>) {
  let version = 0;
  /** Publishes a firmware as the store does; without a company it is official. */
  async function store(
    change: { version?: string; least?: string; models?: string[]; deltas?: string[]; made?: string[] } = {},
    official = false,
  ) {
    const id = uuidv7();
    const { deltas = [], made = [], ...more } = change;
    const data = {
      id,
      path: official ? ('official' as const) : ('mine' as const),
      name: 'Desk',
      version: '2.0.10',
      models: ['Fanvil X7A'],
      least: null,
      ...part('whole'),
      deltas: [
        ...deltas.map((from) => ({ from, format: 'maker' as const, ...part(`delta-${from}`) })),
        ...made.map((from) => ({ from, format: 'zstd-windows' as const, ...part(`made-${from}`) })),
      ],
      signedBy: 'a2V5',
      endorsements: [],
      ...more,
    };
    const companyId = official ? null : rig.actor.companyId;
    await rig.bus.publish([toRecord(firmwareState, id, data, envelope('firmware', { companyId, version: ++version }))]);
    await eventually(async () => {
      const rows = await rig.sql(
        'select id from firmware_copy where id = $1 union all select id from official_firmware_copy where id = $1',
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    return data;
  }
  const phone = (firmware: string | null = '2.0.9', more: object = {}) =>
    rig.devices(1, { firmware, capabilities: ['firmwareUpgrade', 'reboot', 'factoryReset'], ...more });
  const order = async (firmwareId: string, devices: readonly LinkedDevice[], params: object = {}) =>
    (await rig.call(addTask, { body: body(firmwareId, devices, params) })).id;
  return { store, phone, order };
}

/** Starts the task service, and records files of tasks and refused rollbacks. Closes it after the tests. */
export async function startUpgrades() {
  const opened = await openUpgrades();
  return { ...opened, ...upgradeCalls(opened) };
}
