import { columns, computed, currentDatabase, currentSql, platform, type RowOf } from '@carillon/persistence';
import { freshSql } from '@carillon/service';
import { MacOwner, macRanks, type MacProof } from './mac-owner.entity.ts';

const claimed = columns(MacOwner, 'o', ['mac', 'epoch'], {
  resetId: computed<string | null>('(select r.id from device_reset r where r.mac = o.mac)'),
});
const lost = columns(MacOwner, 'o', ['mac'], { companyId: computed<string>('old.company_id') });
const owned = columns(MacOwner, 'o', ['mac', 'companyId', 'epoch']);
const rankSql = (proof: string): string => `($4::jsonb ->> ${proof})::int`;

/**
 * Claims MACs for a company in the transaction that uses them. Returns those that it owns now, with their epochs and
 * the resets that their former owners left. The first company wins; the owner may raise its proof. Concurrent calls
 * wait for each other.
 */
export function claimMacs(
  companyId: string,
  macs: readonly string[],
  proof: MacProof,
): Promise<ReadonlyMap<string, RowOf<typeof claimed>>> {
  if (macs.length === 0) return Promise.resolve(new Map());
  return platform(currentDatabase(), 'a MAC has one owner in the whole installation', async () => {
    await holdMacs(macs);
    await freeAbandoned(companyId, macs);
    const rows = await currentSql().rows(
      claimed,
      `
        insert into mac_owner as o (mac, company_id, proof, epoch, since)
        select distinct m, $1::uuid, $3, 1, now()
        from unnest($2::text[]) m
        order by m
        on conflict (mac) do update
          set proof = case when ${rankSql('excluded.proof')} > ${rankSql('o.proof')} then excluded.proof else o.proof end
          where o.company_id is not distinct from excluded.company_id
        returning ${claimed}
      `,
      [companyId, macs, proof, JSON.stringify(macRanks)],
    );
    return new Map(rows.map((r) => [r.mac, r]));
  });
}

/**
 * Frees MACs of other companies without an order whose device is gone for good. Runs after locking the owners, so that
 * none is added meanwhile. The own company keeps its proof until it adds the device.
 */
async function freeAbandoned(companyId: string, macs: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      delete from mac_owner o
      where o.mac = any ($1::text[]) and o.proof <> 'order' and o.company_id is distinct from $2::uuid
        and not exists (select from device d where d.mac = o.mac)
        and not exists (select from device_deleted k where k.mac = o.mac and k.${freshSql})
    `,
    [macs, companyId],
  );
}

/**
 * Gives the company the MACs that others have with a weaker proof and that never connected: an order takes them from
 * its subsidiaries, a claim with its code from any company. A claim leaves a device that connected to its company while
 * its deletion can be undone. Returns the former owners, whose devices must end. Call inside of `platform()`.
 */
export async function displace(
  companyId: string,
  macs: readonly string[],
  proof: 'order' | 'claim',
): Promise<{ mac: string; companyId: string }[]> {
  await holdMacs(macs);
  // Waits for a device that is coming online, so that the check below sees it.
  await currentSql().query(
    `
      select
      from device d
      where d.mac = any ($1::text[]) and d.company_id is distinct from $2::uuid
      order by d.id
      for update
    `,
    [macs, companyId],
  );
  return currentSql().rows(
    lost,
    `
      with weaker as (
        select o.mac
        from mac_owner o
        left join channel_copy c on c.id = o.company_id
        where o.mac = any ($2::text[]) and o.company_id is distinct from $1::uuid
          and ($3::text = 'claim' or position('/' || $1::text || '/' in c.path) > 0)
          and ${rankSql('o.proof')} < ${rankSql('$3::text')}
          and not exists (
            select from device d where d.mac = o.mac and (d.online or d.last_online_at is not null)
          )
          and ($3::text <> 'claim' or not exists (
            select
            from device_deleted k
            where k.mac = o.mac and k.${freshSql}
              and (k.row ->> 'last_online_at' is not null or (k.row ->> 'online')::boolean)
          ))
        order by o.mac
        for update of o
      )
      update mac_owner o
      set (company_id, proof, epoch, since) = ($1::uuid, $3, o.epoch + 1, now())
      from weaker w
      where w.mac = o.mac
      returning ${lost}
    `,
    [companyId, macs, proof, JSON.stringify(macRanks)],
  );
}

/** Returns the owners of MACs, locked in one order until the transaction ends. Call inside of `platform()`. */
export function holdMacs(macs: readonly string[]) {
  return currentSql().rows(
    owned,
    `select ${owned} from mac_owner o where o.mac = any ($1::text[]) order by o.mac for update`,
    [macs],
  );
}

/** Moves MACs to another company by an order of its parent. Call inside of `platform()`. */
export async function passMacs(macs: readonly string[], to: string): Promise<void> {
  await currentSql().query(
    `
      update mac_owner o
      set (company_id, proof, epoch, since) = ($2::uuid, 'order', o.epoch + 1, now())
      where o.mac = any ($1::text[])
    `,
    [macs, to],
  );
}

/** Frees MACs of the company. Those of another company stay. */
export async function freeMacs(companyId: string, macs: readonly string[]): Promise<void> {
  await platform(currentDatabase(), 'a MAC that nobody has any more is free', () =>
    currentSql().query(
      'delete from mac_owner o where o.mac = any ($2::text[]) and o.company_id is not distinct from $1::uuid',
      [companyId, macs],
    ),
  );
}

/** SQL that forgets deleted devices and frees their MACs, except ordered ones. Run inside of `platform()`. */
export const forgetDeletedSql = `
  with gone as (delete from device_deleted where not (${freshSql}) returning mac, company_id),
  freed as (
    delete from mac_owner o
    using gone g
    where g.mac = o.mac and g.company_id is not distinct from o.company_id and o.proof <> 'order'
      and not exists (select from device d where d.mac = o.mac)
      and not exists (select from device_deleted k where k.mac = o.mac and k.${freshSql})
  )
  select from gone
`;
