import {
  deviceState,
  linkCommand,
  linkSession,
  listAlarmEpisodes,
  listAlarms,
  listNotices,
  orgSite,
  type Client,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { notificationService } from '../notification.module.ts';

const mailKey = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';

/** Notification on a real bus and database, with devices of one company as other services publish them. */
export interface AlarmRig {
  bus: PostgresBus;
  service: TestedService;
  actor: Actor;
  call: Client;
  site(name: string): Promise<string>;
  devices(count: number, given?: Partial<DeviceView>): Promise<LinkedDevice[]>;
  /** Publishes a device's state as the device service does; null is its deletion. */
  publishDevice(device: LinkedDevice, change: Partial<DeviceView> | null): Promise<void>;
  /** Publishes that all these devices connected or disconnected, in as few messages as possible. */
  session(devices: readonly LinkedDevice[], type: 'online' | 'offline', reason?: 'lost' | 'drain'): Promise<void>;
  command(device: LinkedDevice, action: string): Promise<void>;
  lines(query?: object, as?: Actor): Promise<Awaited<ReturnType<typeof page>>['records']>;
  episodes(groupId: string, as?: Actor): Promise<Awaited<ReturnType<typeof episodesOf>>['records']>;
  notices(as?: Actor): Promise<{ type: number; total: number }[]>;
  sql<R = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

const page = (call: Client, query: object) => call(listAlarms, { query: { limit: 100, ...query } });
const episodesOf = (call: Client, id: string) => call(listAlarmEpisodes, { params: { id }, query: { limit: 200 } });

export async function alarmRig(values: Record<string, unknown> = {}): Promise<AlarmRig> {
  const bus = await testBus('alarm_bus');
  const service = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey,
    alarmOfflineGraceMs: 1,
    alarmGatewayGraceMs: 1,
    alarmEventWaitMs: 1,
    alarmDriftGraceMs: 1,
    alarmTickMs: 20,
    mailTickMs: 20,
    ...values,
  });
  const actor = newActor();
  const known = new Map<string, DeviceView>();
  let serial = 0;
  let version = 1;
  const sql = <R>(text: string, given: readonly unknown[] = []) =>
    platform(service.database, 'test', async () => (await currentSql().query<R>(text, given)).rows);
  const publishView = (view: DeviceView | null, id: string, orgId: string) =>
    toRecord(deviceState, id, view, envelope('device', { companyId: actor.companyId, orgId, version: ++version }));
  return {
    bus,
    service,
    actor,
    call: service.as(actor),
    sql,
    async site(name) {
      const id = uuidv7();
      await bus.publish([
        toRecord(
          orgSite,
          id,
          { id, companyId: actor.companyId, parentId: null, name, segments: [], autoAssign: false },
          envelope('site', { companyId: actor.companyId, version: 1 }),
        ),
      ]);
      await eventually(async () => {
        if ((await sql('select 1 from site_copy where id = $1', [id])).length === 0) throw new Error('not copied yet');
      });
      return id;
    },
    async devices(count, given = {}) {
      const views = Array.from({ length: count }, (): DeviceView => ({
        id: uuidv7(),
        orgId: actor.orgId,
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
      await bus.publish(views.map((v) => publishView(v, v.id, v.orgId)));
      await eventually(async () => {
        const [row] = await sql<{ n: number }>(
          'select count(*)::int as n from device_copy where id = any($1::uuid[])',
          [views.map((v) => v.id)],
        );
        if (row!.n !== count) throw new Error('not all copied');
      });
      return views.map((v) => new LinkedDevice(bus, v, actor.companyId));
    },
    async publishDevice({ identity: { deviceId } }, change) {
      const view = { ...known.get(deviceId)!, ...change };
      known.set(deviceId, view);
      await bus.publish([publishView(change && view, deviceId, view.orgId)]);
    },
    async session(device, type, reason = 'lost') {
      await bus.publish(
        device.map((d) => {
          const { deviceId } = d.identity;
          const about = { companyId: actor.companyId, orgId: known.get(deviceId)!.orgId };
          const common = { ...d.identity, gateway: 'gateway-1#a', at: Date.now() };
          return type === 'online'
            ? toRecord(
                linkSession,
                deviceId,
                { ...common, epoch: ++d.epoch, address: '10.0.0.9' },
                envelope('online', about),
              )
            : toRecord(linkSession, deviceId, { ...common, epoch: d.epoch, reason }, envelope('offline', about));
        }),
      );
    },
    async command(device, action) {
      await bus.publish([
        toRecord(
          linkCommand,
          device.identity.deviceId,
          { ...device.identity, id: uuidv7(), action, args: {}, expiresAt: Date.now() + 60_000 },
          envelope('command', { companyId: actor.companyId }),
        ),
      ]);
      await eventually(async () => {
        const rows = await sql('select 1 from alarm_order where device_id = $1', [device.identity.deviceId]);
        if (rows.length === 0) throw new Error('not heard yet');
      });
    },
    lines: async (query = {}, as = actor) => (await page(service.as(as), query)).records,
    episodes: async (id, as = actor) => (await episodesOf(service.as(as), id)).records,
    notices: async (as = actor) => (await service.as(as)(listNotices)).map(({ type, total }) => ({ type, total })),
    async close() {
      await service.close();
      await bus.close();
    },
  };
}
