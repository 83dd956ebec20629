import { knownNetworkDays } from '@carillon/contracts/constants';
import { computed, currentSql, uuidv7 } from '@carillon/persistence';
import { isPublicAddress, networkOf } from '@carillon/service';

/** Most networks that are remembered as waiting for one device; further ones take the place of the oldest. */
const mostAsks = 20;

/**
 * Returns whether a phone from this network gets the configuration of a device by its MAC: its first access is open
 * there, or the device never used its own address and another phone of the company did, lately and from this network.
 */
export async function isLetIn(deviceId: string, network: string): Promise<boolean> {
  const { rows } = await currentSql().query<{ open: boolean }>(
    `
      select
        coalesce(f.open_until > now() and (f.network is null or f.network = $2), false)
        or f.ended_at is null and exists (
          select 1
          from known_network k
          where k.network = $2 and k.last_at > now() - ${knownNetworkDays} * interval '1 day'
        ) as open
      from device_copy d
      left join first_access f on f.id = d.id
      where d.id = $1
    `,
    [deviceId, network],
  );
  return rows[0]?.open === true;
}

/** Stores that a phone asks for a device and was not let in. */
export async function storeAsk(
  device: { id: string; companyId: string },
  network: string,
  by: { address: string; userAgent: string },
): Promise<void> {
  await currentSql().query(
    `
      insert into first_ask as a (id, company_id, device_id, network, address, user_agent, times, last_at)
      values ($1, $2, $3, $4, $5, $6, 1, now())
      on conflict (device_id, network) do update
        set times = least(a.times + 1, 1000000), last_at = now(), address = excluded.address,
          user_agent = excluded.user_agent
    `,
    [uuidv7(), device.companyId, device.id, network, by.address, by.userAgent],
  );
  await currentSql().query(
    `
      delete from first_ask a
      where a.id in (
        select o.id from first_ask o where o.device_id = $1 order by o.last_at desc, o.id offset ${mostAsks}
      )
    `,
    [device.id],
  );
}

/**
 * Ends the first accesses of devices that used their own addresses, given with the IP address of each, and remembers
 * the networks: the other phones of their sites come from there. A private address is not remembered: it may be that of
 * a proxy, which all clients share.
 */
export async function endFirstAccesses(companyId: string, ended: ReadonlyMap<string, string>): Promise<void> {
  if (ended.size === 0) return;
  const ids = [...ended.keys()];
  await currentSql().query(
    `
      insert into first_access (id, company_id, ended_at)
      select e.id, $2, now() from unnest($1::uuid[]) as e(id) order by e.id
      on conflict (id) do update set ended_at = now(), open_until = null, network = null
    `,
    [ids, companyId],
  );
  await currentSql().query('delete from first_ask a where a.device_id = any($1::uuid[])', [ids]);
  const networks = new Set([...ended.values()].filter(isPublicAddress).map(networkOf));
  if (networks.size === 0) return;
  await currentSql().query(
    `
      insert into known_network (id, company_id, network, last_at)
      select e.id, $2, e.network, now() from unnest($1::uuid[], $3::text[]) as e(id, network) order by e.network
      on conflict (company_id, network) do update set last_at = now()
    `,
    [[...networks].map(() => uuidv7()), companyId, [...networks]],
  );
}

/** SQL: whether the first access of a device `d` has ended. */
export const isFirstEnded = computed<boolean>(
  'exists (select 1 from first_access f where f.id = d.id and f.ended_at is not null)',
);

/** Forgets the first accesses of deleted devices. */
export async function forgetFirstAccess(deviceIds: readonly string[]): Promise<void> {
  for (const [table, key] of [
    ['first_access', 'id'],
    ['first_ask', 'device_id'],
  ])
    await currentSql().query(
      `
        delete from ${table} f
        where f.${key} = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = f.${key})
      `,
      [deviceIds],
    );
}
