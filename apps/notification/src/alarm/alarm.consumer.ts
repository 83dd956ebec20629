import { Controller, Inject } from '@nestjs/common';
import {
  alarmKinds,
  deviceState,
  firmwareKind,
  linkCommand,
  linkGateway,
  linkReport,
  linkSession,
  phoneGateway,
  type EventPayload,
  type HelloPayload,
  type Message,
  type StatePayload,
} from '@carillon/contracts';
import { lineTone } from '@carillon/contracts/device-line';
import { On, project } from '@carillon/messaging';
import {
  afterCommit,
  columns,
  computed,
  currentDatabase,
  currentSql,
  platform,
  preparedSql,
} from '@carillon/persistence';
import { CONFIG, deadGatewaySql, shareGatewayLock, storeGateway } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { LinkSession } from './alarm.entity.ts';
import { orderedKinds } from './alarm.kinds.ts';
import { moveAlarms } from './alarm.queries.ts';
import { AlarmService } from './alarm.service.ts';
import { storeOver, storeRaised, waitForDevices, type Over, type Raised } from './signal.queries.ts';

const changed = columns(LinkSession, 's', ['deviceId', 'ownerEpoch', 'online', 'gateway'], {
  at: computed<number>('(extract(epoch from s.at) * 1000)::float8'),
});
const linked = columns(LinkSession, 's', ['deviceId']);
const lost = columns(LinkSession, 's', ['deviceId', 'companyId', 'ownerEpoch']);

/** Alarm kinds of events that devices report. */
const kindOf = {
  registrationFailed: alarmKinds.registrationFailed,
  factoryReset: alarmKinds.factoryReset,
  reboot: alarmKinds.reboot,
  tamper: alarmKinds.tamper,
} as const;
/** Alarm kinds of boot reasons. A power-on is not worth an alarm. */
const kindOfBoot: Partial<Record<HelloPayload['boot'], number>> = {
  reset: alarmKinds.factoryReset,
  reboot: alarmKinds.reboot,
  upgrade: firmwareKind,
};
/** Events that are older raise no alarm. */
const oldMs = 86_400_000;

/** Lines of devices by device, as each device reported them last. */
type States = Map<string, { ownerEpoch: number; at: number; lines: NonNullable<StatePayload['lines']> }>;
type Happened = Pick<Raised, 'kind'> & Partial<Raised>;

/** Returns what a hello says about the start of its device; undefined when that is worth no alarm. */
function eventOfHello({ boot, firmware }: HelloPayload): Happened | undefined {
  const kind = kindOfBoot[boot];
  if (kind === undefined) return undefined;
  return { kind, ...(kind === firmwareKind ? { detail: firmware } : {}) };
}

/** Returns the alarm kind of an event, and the line and account that a failed registration names. */
function eventOf({ kind, detail }: EventPayload): Happened {
  if (kind !== 'registrationFailed') return { kind: kindOf[kind], ...(kind === 'tamper' ? { dueIn: 0 } : {}) };
  const { line, account } = (detail ?? {}) as { line?: unknown; account?: unknown };
  const sub = Number.isInteger(line) && Number(line) > 0 && Number(line) <= 64 ? Number(line) : 0;
  return { kind: kindOf[kind], sub, detail: typeof account === 'string' ? account : null, dueIn: 0 };
}

/** Returns which of these devices are connected: of them, only the connection tells the state of lines (docs/adr/0040). */
async function connectedOf(ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await preparedSql().rows(
    linked,
    `
      select ${linked}
      from link_session s
      where s.device_id = any($1::uuid[]) and s.online and s.gateway <> $2
    `,
    [ids, phoneGateway],
  );
  return new Set(rows.map(({ deviceId }) => deviceId));
}

/** Stores signals that may become alarms; {@link AlarmService} raises the alarms when they are due. */
@Controller()
export class AlarmConsumer {
  constructor(
    private readonly alarms: AlarmService,
    @Inject(CONFIG) private readonly config: NotificationConfig,
  ) {}

  @On(linkSession, ['online', 'offline'])
  async session(messages: Message<typeof linkSession>[]): Promise<void> {
    const companyId = messages[0]!.companyId;
    if (companyId === null) return;
    const last = new Map<string, Record<string, unknown> & { epoch: number }>();
    const ours = new Set<string>();
    for (const { type, data } of messages) {
      if (!data || (last.get(data.deviceId)?.epoch ?? 0) > data.epoch) continue;
      last.set(data.deviceId, {
        device_id: data.deviceId,
        epoch: data.epoch,
        owner_epoch: data.ownerEpoch,
        online: type === 'online',
        gateway: data.gateway,
        at: data.at,
      });
      if ('reason' in data && (data.reason === 'gatewayLost' || data.reason === 'drain')) ours.add(data.deviceId);
      else ours.delete(data.deviceId);
    }
    await shareGatewayLock();
    const rows = await preparedSql().rows(
      changed,
      `
        insert into link_session as s (device_id, company_id, epoch, owner_epoch, online, gateway, at)
        select device_id, $2::uuid, epoch, owner_epoch, online and not ${deadGatewaySql('x.gateway', 'x.at')}, gateway,
          to_timestamp(at / 1000.0)
        from jsonb_to_recordset($1::jsonb) as x(
          device_id uuid, epoch bigint, owner_epoch int, online boolean, gateway text, at float8
        )
        order by device_id
        on conflict (device_id) do update set company_id = excluded.company_id, epoch = excluded.epoch,
          owner_epoch = excluded.owner_epoch, online = excluded.online, gateway = excluded.gateway, at = excluded.at
        where excluded.epoch > s.epoch or (excluded.epoch = s.epoch and s.online and not excluded.online)
        returning ${changed}
      `,
      [JSON.stringify([...last.values()]), companyId],
    );
    const [back, gone] = [rows.filter((r) => r.online), rows.filter((r) => !r.online)];
    await storeOver(companyId, alarmKinds.offline, back, 'over');
    await storeRaised(
      companyId,
      gone.map((r) => this.offline(r, ours.has(r.deviceId) ? r.gateway.split('#')[0]! : null)),
      'state',
    );
    if (back.length > 0) this.wake();
  }

  /** Devices of a lost gateway reconnect to it or to another one, which takes longer than for a single device. */
  @On(linkGateway, ['started', 'gone'])
  async gateway(messages: Message<typeof linkGateway>[]): Promise<void> {
    for (const { type, data } of messages) {
      if (!data) continue;
      await storeGateway(type, data);
      await platform(currentDatabase(), 'a gateway process died with the sessions of several companies', async () => {
        const rows = await currentSql().rows(
          lost,
          `
            update link_session s
            set online = false, at = greatest(at, to_timestamp($3 / 1000.0))
            where online
              and
                ${type === 'started' ? `gateway like $1 || '#%' and gateway <> $2` : '$1::text is not null and gateway = $2'}
            returning ${lost}
          `,
          [data.name, data.gateway, data.at],
        );
        for (const [companyId, devices] of Map.groupBy(rows, (r) => r.companyId))
          await storeRaised(
            companyId,
            devices.map((d) => this.offline({ ...d, at: data.at }, data.name)),
            'state',
          );
        if (type === 'started') await waitForDevices(this.config.alarmGatewayGraceMs, data.name);
      });
    }
  }

  @On(linkReport, ['hello', 'state', 'event'])
  async report(messages: Message<typeof linkReport>[]): Promise<void> {
    const companyId = messages[0]!.companyId;
    if (companyId === null) return;
    // The epoch of a report over HTTP is 0.
    const overtaken = await connectedOf(
      messages.flatMap(({ type, data }) => (type === 'state' && data?.epoch === 0 ? [data.deviceId] : [])),
    );
    const states: States = new Map();
    const raised = new Map<string, Raised>();
    for (const { type, data } of messages) {
      if (!data) continue;
      const { deviceId, ownerEpoch, receivedAt: at } = data;
      if (type === 'state') {
        const { lines } = data.payload as StatePayload;
        if (lines && !(data.epoch === 0 && overtaken.has(deviceId))) states.set(deviceId, { ownerEpoch, at, lines });
        continue;
      }
      const event =
        type === 'hello' ? eventOfHello(data.payload as HelloPayload) : eventOf(data.payload as EventPayload);
      if (event === undefined || at <= Date.now() - oldMs) continue;
      const one = { sub: 0, source: null, detail: null, dueIn: this.config.alarmEventWaitMs, ...event };
      raised.set(`${deviceId} ${one.kind} ${one.sub}`, { ...one, deviceId, ownerEpoch, at });
    }
    const failed = [...states].flatMap(([deviceId, { ownerEpoch, at, lines }]) =>
      lines
        .filter((l) => lineTone(l.status) === 'bad')
        .map((l): Raised => ({
          deviceId,
          kind: alarmKinds.registrationFailed,
          sub: l.line,
          at,
          ownerEpoch,
          source: l.server ?? null,
          detail: l.account ?? null,
          dueIn: 0,
        })),
    );
    await storeOver(
      companyId,
      alarmKinds.registrationFailed,
      [...states].map(([deviceId, { ownerEpoch, at, lines }]) => {
        // A line between two tries has no clear state: its current alarm stays.
        const keep = lines
          .filter((l) => lineTone(l.status) === 'bad' || l.status === 'unregistered')
          .map((l) => l.line);
        return { deviceId, ownerEpoch, at, keep: keep.length > 0 ? [0, ...keep] : [] };
      }),
      'over',
    );
    await storeRaised(companyId, failed, 'state');
    const events = [...raised.values()];
    const isState = (e: Raised) => e.kind === alarmKinds.registrationFailed;
    await storeRaised(companyId, events.filter(isState), 'state');
    await storeRaised(
      companyId,
      events.filter((e) => !isState(e)),
      'event',
    );
    if (states.size + events.length > 0) this.wake();
  }

  /** What a device does because of a task is not an alarm. */
  @On(linkCommand, ['command'])
  async command(messages: Message<typeof linkCommand>[]): Promise<void> {
    const orders = new Map(
      messages.flatMap(({ at, companyId, data }) => {
        const kinds = data && 'action' in data ? orderedKinds[data.action] : undefined;
        return data && 'action' in data && kinds && companyId
          ? [
              [
                data.deviceId,
                { device_id: data.deviceId, company_id: companyId, kinds, at, until: data.expiresAt + 600_000 },
              ] as const,
            ]
          : [];
      }),
    );
    if (orders.size === 0) return;
    await preparedSql().query(
      `
        insert into alarm_order as o (device_id, company_id, kinds, at, until)
        select device_id, company_id, kinds, to_timestamp(at / 1000.0), to_timestamp(until / 1000.0)
        from jsonb_to_recordset($1::jsonb) as m(device_id uuid, company_id uuid, kinds int[], at float8, until float8)
        order by device_id
        on conflict (device_id) do update set company_id = excluded.company_id, kinds = excluded.kinds,
          at = excluded.at, until = excluded.until
        where o.at <= excluded.at
      `,
      [JSON.stringify([...orders.values()])],
    );
  }

  /** Copies organization and name of a device. A deleted or disabled device has no alarms. */
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    const companyId = messages[0]!.companyId!;
    const { moved } = await project(
      DeviceCopy,
      messages,
      ({ orgId, mac, name, siteId = null, ownerEpoch, enabled = true }) => ({
        companyId,
        orgId,
        mac,
        name,
        siteId,
        ownerEpoch,
        enabled,
      }),
      'orgId',
    );
    const gone = messages.flatMap((m) => (m.data === null ? [m.key] : []));
    const off = messages.flatMap((m) => (m.data?.enabled === false ? [m.key] : []));
    const at = Date.now();
    await storeOver(
      companyId,
      null,
      [...new Set(gone)].map((deviceId) => ({ deviceId, at, ownerEpoch: 0 })),
      'deleted',
    );
    for (const kind of [alarmKinds.offline, alarmKinds.registrationFailed, alarmKinds.configDrift])
      await storeOver(
        companyId,
        kind,
        [...new Set(off)].map((deviceId) => ({ deviceId, at, ownerEpoch: 0 })),
        'over',
      );
    if (gone.length > 0)
      await currentSql().query('delete from link_session where device_id = any ($1::uuid[])', [gone]);
    if (moved.length > 0) await moveAlarms(companyId, moved);
    await this.drift(companyId, messages);
    if (gone.length + off.length > 0) this.wake();
  }

  /** A device that has drifted from its configuration has an alarm until it has it again. */
  private async drift(companyId: string, messages: readonly Message<typeof deviceState>[]): Promise<void> {
    const last = new Map(messages.map((message) => [message.key, message]));
    const [drifted, back]: [Raised[], Over[]] = [[], []];
    for (const [deviceId, { at, data }] of last) {
      if (!data || data.enabled === false) continue;
      const { ownerEpoch } = data;
      const drift = { deviceId, kind: alarmKinds.configDrift, sub: 0, at, ownerEpoch, source: null, detail: null };
      if (data.configDrifted) drifted.push({ ...drift, dueIn: this.config.alarmDriftGraceMs });
      else back.push({ deviceId, at, ownerEpoch });
    }
    const ended = await storeOver(companyId, alarmKinds.configDrift, back, 'over');
    await storeRaised(companyId, drifted, 'state');
    if (ended > 0) this.wake();
  }

  private offline(device: { deviceId: string; ownerEpoch: number; at: number }, gateway: string | null): Raised {
    return {
      deviceId: device.deviceId,
      kind: alarmKinds.offline,
      sub: 0,
      at: device.at,
      ownerEpoch: device.ownerEpoch,
      source: gateway,
      detail: null,
      dueIn: gateway === null ? this.config.alarmOfflineGraceMs : this.config.alarmGatewayGraceMs,
    };
  }

  private wake(): void {
    afterCommit(() => this.alarms.wake());
  }
}
