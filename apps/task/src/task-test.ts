import {
  addTask,
  authAccess,
  deviceState,
  getTask,
  linkCommand,
  permissionKeys,
  type AccessView,
  type Client,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { downloadKey, readConfig, type ServiceDefinition } from '@carillon/service';
import type { z } from 'zod';
import {
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { taskConfig } from './config.ts';
import { DispatchService } from './dispatch/dispatch.service.ts';
import { taskService } from './task.module.ts';

export interface SentCommand {
  deviceId: string;
  id: string;
  args: Record<string, unknown>;
}

/** Settings for file links in tests that follow none. */
export const testLinks = { key: downloadKey(Buffer.alloc(32, 7)), publicUrl: 'https://carillon.example' };

/** Creates a second dispatch beside the rig's own, like another process of the service. */
export const secondDispatch = (rig: TaskRig, settings: Partial<z.output<typeof taskConfig>>): DispatchService =>
  new DispatchService(rig.service.database, { ...readConfig(taskConfig), ...settings }, rig.service.contextKey);

/** The task service on a real bus and database, with devices of one company. */
export interface TaskRig {
  bus: PostgresBus;
  service: TestedService;
  actor: Actor;
  call: Client;
  commands: SentCommand[];
  devices(count: number, given?: Partial<DeviceView>, actor?: Actor): Promise<LinkedDevice[]>;
  /** Publishes a device as the device service does; null is its deletion. `reason` is that of the tombstone. */
  publishDevice(device: LinkedDevice, change: Partial<DeviceView> | null, reason?: string): Promise<void>;
  /** Publishes a user's permissions as auth does: an unknown user has none when their task is due. */
  admit(actor: Actor, change?: Partial<AccessView>): Promise<void>;
  order(devices: readonly LinkedDevice[]): Promise<string>;
  counts(taskId: string): Promise<Record<string, unknown>>;
  command(device: LinkedDevice): Promise<SentCommand>;
  /** Runs SQL without policies, to inspect or prepare data. */
  sql<R = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

export async function taskRig(values: Record<string, unknown> = {}): Promise<TaskRig> {
  const bus = await testBus();
  const service = await testService(taskService as unknown as ServiceDefinition, bus, values);
  const actor = newActor();
  const call = service.as(actor);
  const commands: SentCommand[] = [];
  const feed = await bus.fanout({
    topics: [linkCommand.name],
    from: 'end',
    handle: (batch) => {
      for (const r of batch.records)
        if (r.headers['type'] === 'command') commands.push(JSON.parse(r.value!) as SentCommand);
    },
  });
  const sql = <R>(text: string, given: readonly unknown[] = []) =>
    platform(service.database, 'test', async () => (await currentSql().query<R>(text, given)).rows);
  let serial = 0;
  let version = 1;
  const known = new Map<string, DeviceView>();
  const admit: TaskRig['admit'] = async (whom, change = {}) => {
    const { companyId, userId, orgId, orgIds = '*' } = whom;
    const view: AccessView = {
      userId,
      companyId,
      username: 'tester',
      nickname: 'Tester',
      accountType: 'ordinary',
      status: 'normal',
      roleIds: [],
      permissions: [...permissionKeys],
      orgIds: orgIds === '*' ? [] : [...orgIds],
      allOrgs: orgIds === '*',
      defaultOrgId: orgId,
      language: null,
      timezoneId: 1,
      tokensValidAfter: 0,
      ...change,
    };
    const said = ++version;
    await bus.publish([toRecord(authAccess, userId, view, envelope('access', { companyId, version: said }))]);
    await eventually(async () => {
      const [row] = await sql<{ version: string }>('select version from creator_copy where id = $1', [userId]);
      if (Number(row?.version) !== said) throw new Error('not copied');
    });
  };
  await admit(actor);
  return {
    bus,
    service,
    actor,
    admit,
    call,
    commands,
    sql,
    async devices(count, given = {}, { companyId, orgId } = actor) {
      const views = Array.from({ length: count }, (): DeviceView => ({
        id: uuidv7(),
        orgId,
        mac: (++serial).toString(16).padStart(12, '0'),
        name: `Phone ${serial}`,
        model: 'Fanvil X7A',
        sn: `SN${serial}`,
        firmware: '1.0',
        internalIp: null,
        configured: true,
        failedLines: 0,
        configFailed: false,
        capabilities: ['reboot'],
        ownerEpoch: 1,
        ...given,
      }));
      for (const v of views) known.set(v.id, v);
      await bus.publish(
        views.map((v) => toRecord(deviceState, v.id, v, envelope('device', { companyId, orgId: v.orgId, version: 1 }))),
      );
      await eventually(async () => {
        const [row] = await sql<{ n: number }>(
          'select count(*)::int as n from device_copy where id = any($1::uuid[])',
          [views.map((v) => v.id)],
        );
        if (row!.n !== count) throw new Error('not all copied');
      });
      return views.map((v) => new LinkedDevice(bus, v, companyId));
    },
    async publishDevice({ identity: { deviceId } }, change, reason) {
      const view = { ...known.get(deviceId)!, ...change };
      known.set(deviceId, view);
      await bus.publish([
        toRecord(
          deviceState,
          deviceId,
          change && view,
          envelope('device', {
            companyId: actor.companyId,
            orgId: view.orgId,
            version: ++version,
            ...(reason ? { reason } : {}),
          }),
        ),
      ]);
    },
    async order(devices) {
      return (
        await call(addTask, {
          body: {
            name: 'Reboot',
            action: 'reboot',
            params: {},
            target: { ids: devices.map((d) => d.identity.deviceId) },
          },
        })
      ).id;
    },
    async counts(id) {
      const { status, expanded, counts } = await call(getTask, { params: { id } });
      return { status, expanded, ...counts };
    },
    command: (device) =>
      eventually(() => {
        const found = commands.findLast((c) => c.deviceId === device.identity.deviceId);
        if (!found) throw new Error('no command yet');
        return found;
      }),
    async close() {
      await feed.close();
      await service.close();
      await bus.close();
    },
  };
}
