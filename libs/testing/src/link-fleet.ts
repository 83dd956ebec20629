import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { linkCommand, linkResult, linkSession, type CommandPayload } from '@carillon/contracts';
import { envelope, PostgresBus, toRecord, type Bus, type FanoutConsumer, type OutRecord } from '@carillon/messaging';

const gateway = 'fleet#1';

export interface FleetDevice {
  id: string;
  mac: string;
}

/**
 * Simulates tens of thousands of devices on the bus like the MQTT gateway: same command topic, same answer topic, but
 * no sockets. Each device runs a command once, even when it comes twice, and counts it. An answer that the bus did not
 * accept is sent again, like a device without a PUBACK does.
 */
export class LinkedFleet {
  /** How often each device ran a command, by the command's id. */
  readonly done = new Map<string, Map<string, number>>();
  /** Number of received commands, repetitions included. */
  heard = 0;
  private readonly online = new Set<string>();
  private readonly waiting: OutRecord[] = [];
  private working: Promise<void> | undefined;
  private feed: FanoutConsumer | undefined;
  private epoch = Date.now();
  private closed = false;
  private readonly bus: Bus;
  private readonly company: { companyId: string; orgId: string };
  private readonly devices: ReadonlyMap<string, FleetDevice>;

  constructor(bus: Bus, { companyId, orgId }: { companyId: string; orgId: string }, devices: readonly FleetDevice[]) {
    this.bus = bus;
    this.company = { companyId, orgId };
    this.devices = new Map(devices.map((d) => [d.id, d]));
  }

  async listen(): Promise<void> {
    this.feed = await this.bus.fanout({
      topics: [linkCommand.name],
      from: 'end',
      handle: ({ records }) => {
        for (const { headers, value } of records) {
          if (headers['type'] !== 'command' || value === null) continue;
          const command = JSON.parse(value) as CommandPayload & { deviceId: string };
          if (this.online.has(command.deviceId)) this.act(command.deviceId, command.id);
        }
      },
    });
  }

  /** Marks devices as connected that the tables already show as such. */
  connected(ids: readonly string[]): void {
    for (const id of ids) this.online.add(id);
  }

  /** Brings devices back. */
  async connect(ids: readonly string[]): Promise<void> {
    const epoch = ++this.epoch;
    this.connected(ids);
    this.say(
      ids.map((id) =>
        toRecord(
          linkSession,
          id,
          { ...this.identity(id), epoch, gateway, address: '10.0.0.9', at: Date.now() },
          envelope('online', this.company),
        ),
      ),
    );
    await this.working;
  }

  private act(id: string, command: string): void {
    this.heard++;
    const mine = this.done.get(id) ?? new Map<string, number>();
    this.done.set(id, mine);
    if (!mine.has(command)) mine.set(command, 1);
    // A reboot must be visible before the answer that follows it.
    this.say([
      toRecord(
        linkResult,
        id,
        {
          ...this.identity(id),
          epoch: this.epoch + 1,
          receivedAt: Date.now(),
          boot: 'reboot',
          firmware: '1.0',
          uptime: 0,
        },
        envelope('back', this.company),
      ),
      toRecord(
        linkResult,
        id,
        {
          ...this.identity(id),
          epoch: this.epoch,
          receivedAt: Date.now(),
          payload: { id: command, status: 'success', at: Date.now() },
        },
        envelope('result', this.company),
      ),
    ]);
  }

  private identity(id: string): { deviceId: string; mac: string; ownerEpoch: number } {
    return { deviceId: id, mac: this.devices.get(id)!.mac, ownerEpoch: 1 };
  }

  private say(records: readonly OutRecord[]): void {
    for (const record of records) this.waiting.push(record);
    this.working ??= this.publish().finally(() => {
      this.working = undefined;
    });
  }

  private async publish(): Promise<void> {
    while (this.waiting.length > 0 && !this.closed) {
      // Waits one more turn, so that simultaneous answers go together.
      await new Promise((r) => {
        setImmediate(r);
      });
      const some = this.waiting.slice(0, 500);
      try {
        await this.bus.publish(some);
        this.waiting.splice(0, some.length);
      } catch {
        await new Promise((r) => {
          setTimeout(r, 100);
        });
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.feed?.close();
    await this.working;
  }
}

export interface FilledFleet {
  fleet: LinkedFleet;
  devices: FleetDevice[];
  /** The task service's database, without its policies. */
  task: pg.Pool;
  close(): Promise<void>;
}

/**
 * Adds devices to the task service's copies as if they had been added and connected, and starts a fleet on the
 * product's bus that answers for them.
 */
export async function fillFleet({
  folder,
  socket,
  count,
  online,
  bus = busOf(folder, socket),
}: {
  folder: string;
  socket: string;
  count: number;
  online: number;
  /** The installation's bus; the one in its PostgreSQL when absent. The fleet closes it. */
  bus?: Promise<Bus>;
}): Promise<FilledFleet> {
  const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as {
    postgres: string;
    companyId: string;
    orgId: string;
  };
  const task = new pg.Pool({
    host: socket,
    port: 5432,
    user: 'postgres',
    password: secrets.postgres,
    database: 'carillon_task',
    max: 1,
  });
  task.on('error', () => undefined);
  const { rows: devices } = await task.query<FleetDevice>(
    `
      insert into device_copy (
        id, company_id, org_id, mac, name, model, sn, firmware, internal_ip, capabilities, configured,
        config_failed, failed_lines, owner_epoch, version, era
      )
      select ('01a00000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, lpad(to_hex(n), 12, '0'),
        'Phone ' || n, 'Fanvil X7A', 'SN' || n, '1.0', null, '["reboot"]', true, false, 0, 1, 1, 1
      from generate_series(1, $3::int) n
      returning id, mac
    `,
    [secrets.companyId, secrets.orgId, count],
  );
  const ids = devices.map((d) => d.id);
  await task.query(
    `
      insert into link_session (device_id, company_id, epoch, online, gateway, at)
      select id, company_id, 1, true, '${gateway}', now() - interval '1 hour'
      from device_copy
      where id = any($1::uuid[])
    `,
    [ids.slice(0, online)],
  );
  const open = await bus;
  const fleet = new LinkedFleet(open, secrets, devices);
  fleet.connected(ids.slice(0, online));
  await fleet.listen();
  return {
    fleet,
    devices,
    task,
    async close() {
      await fleet.close();
      await open.close();
      await task.end();
    },
  };
}

/** Opens the bus in an installation's own PostgreSQL. The caller closes it. */
export function busOf(folder: string, socket: string): Promise<Bus> {
  const { databases } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as {
    databases: Record<string, { app: string }>;
  };
  return PostgresBus.open({
    connection: {
      host: socket,
      port: 5432,
      database: 'carillon_bus',
      user: 'carillon_bus_app',
      password: databases['bus']!.app,
    },
    name: 'fleet',
  });
}
