import { Injectable } from '@nestjs/common';
import type { getFirstAccess, listWaitingPhones, RouteReturn } from '@carillon/contracts';
import { firstAccessDays } from '@carillon/contracts/constants';
import { columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, fail } from '@carillon/service';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { FirstAccess, FirstAsk } from './first-access.entity.ts';

const shown = 200;
/** Most devices that an entry of the operation log names. */
const noted = 100;
/** How long a phone that was let in may take until it asks again, in hours. */
const letInHours = 24;

const device = columns(DeviceCopy, 'd', ['id', 'name', 'orgId']);
const access = columns(FirstAccess, 'f', ['openUntil', 'network', 'endedAt'], {
  isOpen: computed<boolean>('coalesce(f.open_until > now(), false)'),
});
const ask = columns(FirstAsk, 'a', ['id', 'address', 'userAgent', 'times', 'lastAt']);
const waiting = columns(FirstAsk, 'a', ['id', 'address', 'userAgent', 'times', 'lastAt'], {
  device: computed<{ id: string; name: string; mac: string; model: string }>(
    `jsonb_build_object('id', d.id, 'name', d.name, 'mac', d.mac, 'model', d.model)`,
  ),
});
const chosen = columns(FirstAsk, 'a', ['id', 'deviceId', 'network'], {
  name: computed<string>('d.name'),
  orgId: computed<string>('d.org_id'),
});

/** Opens a device's configuration to a phone that knows only the server's address and its MAC (EDGE-02, DEV-10). */
@Injectable()
export class FirstAccessService {
  constructor(private readonly origin: PhoneOrigin) {}

  async get(id: string): Promise<RouteReturn<typeof getFirstAccess>> {
    await seen([id]);
    const [one] = await currentSql().rows(access, `select ${access} from first_access f where f.id = $1`, [id]);
    return {
      server: this.origin.get(),
      openUntil: one?.isOpen ? one.openUntil : null,
      network: one?.isOpen ? one.network : null,
      endedAt: one?.endedAt ?? null,
      asks: await currentSql().rows(
        ask,
        `select ${ask} from first_ask a where a.device_id = $1 order by a.last_at desc, a.id limit 20`,
        [id],
      ),
    };
  }

  async open(ids: readonly string[]): Promise<void> {
    await seen(ids);
    await letIn({ hours: firstAccessDays * 24, of: ids.map((id) => ({ id, network: null })) });
  }

  async close(ids: readonly string[]): Promise<void> {
    await seen(ids);
    await currentSql().query(
      `
        insert into first_access (id, company_id, ended_at)
        select d.id, d.company_id, now() from device_copy d where d.id = any($1::uuid[]) order by d.id
        on conflict (id) do update set open_until = null, network = null, ended_at = now()
      `,
      [ids],
    );
  }

  waiting(): Promise<RouteReturn<typeof listWaitingPhones>> {
    return currentSql().rows(
      waiting,
      `
        select ${waiting}
        from first_ask a
        join device_copy d on d.id = a.device_id
        order by a.last_at desc, a.id
        limit ${shown}
      `,
    );
  }

  /** Lets the phones of these requests in. All of them, or none when one is gone. */
  async letIn(askIds: readonly string[]): Promise<void> {
    const asks = await currentSql().rows(
      chosen,
      `select ${chosen} from first_ask a join device_copy d on d.id = a.device_id where a.id = any($1::uuid[])`,
      [askIds],
    );
    note(
      asks.map(({ deviceId: id, name, orgId }) => ({ id, name, orgId })),
      { networks: asks.slice(0, noted).map(({ network }) => network) },
    );
    if (asks.length < new Set(askIds).size) fail('firstAccess.askGone');
    const twice = asks.find((one) => asks.some((other) => other !== one && other.deviceId === one.deviceId));
    if (twice) fail('firstAccess.twice', { name: twice.name });
    await letIn({ hours: letInHours, of: asks.map(({ deviceId: id, network }) => ({ id, network })) });
    await currentSql().query('delete from first_ask a where a.id = any($1::uuid[])', [askIds]);
  }
}

/** Fails when the user does not see one of the devices; another company’s device is treated as not found. */
async function seen(ids: readonly string[]) {
  const devices = await currentSql().rows(
    device,
    `select ${device} from device_copy d where d.id = any($1::uuid[]) order by d.id`,
    [ids],
  );
  if (devices.length < new Set(ids).size) fail('common.notFound');
  note(devices, {});
}

/** Notes for the operation log which devices a call concerns. */
function note(devices: readonly { id: string; name: string; orgId: string }[], detail: object): void {
  auditNote({
    ...(devices.length === 1 ? { objectId: devices[0]!.id } : {}),
    objectName: devices
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 256),
    orgIds: [...new Set(devices.map(({ orgId }) => orgId))],
    detail: { count: devices.length, devices: devices.slice(0, noted).map(({ name }) => name), ...detail },
  });
}

/** Lets phones in, each from its network or from any, for some hours. */
async function letIn({ hours, of }: { hours: number; of: { id: string; network: string | null }[] }): Promise<void> {
  await currentSql().query(
    `
      insert into first_access (id, company_id, open_until, network)
      select d.id, d.company_id, now() + $2 * interval '1 hour', x.network
      from jsonb_to_recordset($1::jsonb) as x(id uuid, network text)
      join device_copy d on d.id = x.id
      order by d.id
      on conflict (id) do update
        set open_until = excluded.open_until, network = excluded.network, ended_at = null
    `,
    [JSON.stringify(of), hours],
  );
}
