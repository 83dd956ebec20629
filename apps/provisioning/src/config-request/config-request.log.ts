import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ConfigOutcome } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, platform, uuidv7 } from '@carillon/persistence';
import { ConfigRequest } from './config-request.entity.ts';
import { holdersOf } from './mac-holder.ts';

const log = createLogger('config-request');

const flushMs = 1_000;
/** Different requests that wait to be written; of more, only the number is logged. */
const mostWaiting = 20_000;
/** The same of those without a token, which anyone can make for any MAC. */
const mostByMac = 5_000;
/** Different requests that one transaction writes. */
const mostAtOnce = 2_000;
/** Most files and outcomes that are kept for a device. A person can ask for any name. */
const mostOfDevice = 40;
/**
 * How many of them are kept at least for requests with the address of the device, and for those without it: a person
 * who knows only the MAC must not push out what the device itself asked for.
 */
const leastOfEach = mostOfDevice / 2;
/** Outcomes of requests that need no address of the device. */
const withoutAddress = ['firstAddress', 'waiting', 'otherDevice', 'tooMany'] satisfies ConfigOutcome[];

/** A request of a device for a file. Without a token only its MAC says which device it is. */
export type Asked = Asker & {
  file: string;
  outcome: ConfigOutcome;
  userAgent: string;
  address: string;
};
type Asker = { deviceId: string } | { mac: string };
type Counted = Asked & {
  id: string;
  times: number;
  firstAt: number;
  lastAt: number;
};

/**
 * Records what devices ask for over HTTP. Requests are counted in memory and written once a second: a statement for
 * each would take as long as the file itself when all phones of a site start at once. A crash loses the last second.
 */
@Injectable()
export class ConfigRequestLog implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Counted>();
  private timer: NodeJS.Timeout | undefined;
  /** At most one at a time, so that a slow database lets requests wait where they are limited. */
  private writing: Promise<void> | undefined;
  private dropped = 0;

  constructor(private readonly database: Database) {}

  note({ file: name, outcome, userAgent, address, ...asker }: Asked, at = Date.now()): void {
    // Names of files have only these characters; a name may get longer in lower case.
    const file = name.replaceAll(/[^\w.-]/g, '?').slice(0, 64);
    const isByMac = 'mac' in asker;
    const key = `${isByMac ? asker.mac : asker.deviceId} ${outcome} ${file}`;
    const before = this.waiting.get(key);
    if (!before && this.waiting.size >= (isByMac ? mostByMac : mostWaiting)) {
      this.dropped++;
      return;
    }
    this.waiting.set(key, {
      id: before?.id ?? uuidv7(),
      times: (before?.times ?? 0) + 1,
      firstAt: before?.firstAt ?? at,
      lastAt: at,
      // PostgreSQL has no NUL in texts, and one half of a pair is no text.
      userAgent: userAgent.slice(0, 256).toWellFormed().replaceAll('\0', ''),
      address: address.slice(0, 45),
      file,
      outcome,
      ...asker,
    });
    if (!this.writing) this.timer ??= setTimeout(() => this.flush(), flushMs);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    while (this.waiting.size > 0) await this.writeSome();
  }

  private flush(): void {
    this.timer = undefined;
    this.writing = this.writeSome().then(() => {
      this.writing = undefined;
      if (this.waiting.size > 0) this.timer ??= setTimeout(() => this.flush(), flushMs);
    });
  }

  private async writeSome(): Promise<void> {
    const some = [...this.waiting].slice(0, mostAtOnce);
    for (const [key] of some) this.waiting.delete(key);
    if (this.dropped > 0) log.warn({ dropped: this.dropped }, 'too many requests for configurations to record');
    this.dropped = 0;
    const requests = some.map(([, request]) => request);
    try {
      await platform(this.database, 'requests for configurations of all companies', async () => {
        await write(requests.filter((request) => 'deviceId' in request));
        await write(await withDevices(requests.filter((request) => 'mac' in request)));
      });
    } catch (err) {
      log.warn({ err, lost: requests.length }, 'requests for configurations not recorded');
    }
  }
}

/** Returns the requests of MACs that devices have, with the device that has each in the whole installation. */
async function withDevices<R extends { mac: string }>(requests: readonly R[]): Promise<(R & { deviceId: string })[]> {
  const holders = await holdersOf(requests.map(({ mac }) => mac));
  return requests.flatMap((request) => {
    const deviceId = holders.get(request.mac)?.id;
    return deviceId === undefined ? [] : [{ ...request, deviceId }];
  });
}

/** Adds to what is recorded, for devices that exist. Rows are written in one order, so that two processes never wait. */
async function write(requests: readonly (Counted & { deviceId: string })[]): Promise<void> {
  if (requests.length === 0) return;
  await currentSql().query(
    `
      insert into config_request as r
        (id, company_id, device_id, file, outcome, user_agent, address, times, first_at, last_at)
      select x.id, d.company_id, d.id, x.file, x.outcome, x."userAgent", x.address, x.times,
        to_timestamp(x."firstAt" / 1000.0), to_timestamp(x."lastAt" / 1000.0)
      from jsonb_to_recordset($1::jsonb) as x (
        id uuid, "deviceId" uuid, file text, outcome text, "userAgent" text, address text, times int,
        "firstAt" float8, "lastAt" float8
      )
      join device_copy d on d.id = x."deviceId"
      order by d.id, x.file, x.outcome
      on conflict (device_id, file, outcome) do update
        set times = least(r.times::bigint + excluded.times, 2000000000), last_at = excluded.last_at,
          user_agent = excluded.user_agent, address = excluded.address
    `,
    [JSON.stringify(requests)],
  );
  await currentSql().query(
    `
      delete from config_request r
      where r.id in (
        select o.id
        from (
          select e.id,
            row_number() over (
              partition by e.device_id order by e.place <= ${leastOfEach} desc, e.last_at desc, e.id
            ) as n
          from (
            select i.id, i.device_id, i.last_at,
              row_number() over (
                partition by i.device_id, i.outcome = any($2::text[]) order by i.last_at desc, i.id
              ) as place
            from config_request i
            where i.device_id = any($1::uuid[])
          ) e
        ) o
        where o.n > ${mostOfDevice}
      )
    `,
    [[...new Set(requests.map(({ deviceId }) => deviceId))], withoutAddress],
  );
}

const record = columns(ConfigRequest, 'r', ['file', 'outcome', 'userAgent', 'address', 'times', 'firstAt', 'lastAt']);

/** Returns what a device asked for, the latest first. */
export const requestsOf = (deviceId: string) =>
  currentSql().rows(
    record,
    `select ${record} from config_request r where r.device_id = $1 order by r.last_at desc, r.id limit ${mostOfDevice}`,
    [deviceId],
  );

/** Forgets the requests of deleted devices. */
export async function forgetRequests(deviceIds: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      delete from config_request r
      where r.device_id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = r.device_id)
    `,
    [deviceIds],
  );
}
