import { provisioningFcsUse } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { columns, currentSql, holdLock, type RowOf } from '@carillon/persistence';
import { emitLive, fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { publishAccounts } from '../sip-account/sip-account.publisher.ts';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { publishServers, publishServersGone } from '../sip-server/sip-server.publisher.ts';
import { CompanyCopy } from './fcs.entity.ts';

const changed = columns(SipServer, 's', ['id', 'companyId', 'version']);
/** The installation's FCS servers for each company that has FCS, with the company's own domain if it has one. */
const offered = `
  select c.id as company_id, x.name, x.address, x.port, x.transport,
    coalesce(nullif(c.fcs_domain, ''), x.domain) as domain
  from fcs_setting f
  cross join lateral jsonb_to_recordset(f.setting -> 'servers')
    as x(name text, address text, port int, transport text, domain text)
  join company_copy c on c.fcs_enabled
  where (f.setting ->> 'enabled')::boolean
`;

/**
 * Serializes the consumers of the two topics with the companies' limits and the installation's servers, because neither
 * sees uncommitted changes of the other. Companies do not wait for each other.
 */
export const holdFcs = (how: 'shared' | 'alone') => holdLock('fcs servers', how);

/**
 * Updates the FCS servers of the companies that the session sees: adds new ones, closes removed ones that have
 * accounts, and deletes removed ones without accounts.
 */
export async function settleFcsServers(): Promise<void> {
  const there = await currentSql().rows(
    changed,
    `
      insert into sip_server as s (
        id, company_id, name, address, port, transport, domain, fcs, closed, version, updated_at
      )
      select uuidv7(), o.company_id, o.name, o.address, o.port, o.transport, o.domain, true, false, 1, now()
      from (${offered}) o
      on conflict (company_id, lower(name), fcs) do update set name = excluded.name, address = excluded.address,
        port = excluded.port, transport = excluded.transport, domain = excluded.domain, closed = false,
        version = s.version + 1, updated_at = now()
      where (s.name, s.address, s.port, s.transport, s.domain, s.closed)
        is distinct from
        (excluded.name, excluded.address, excluded.port, excluded.transport, excluded.domain, false)
      returning ${changed}
    `,
  );
  const missing = `
    s.fcs and (s.company_id, lower(s.name)) not in (select o.company_id, lower(o.name) from (${offered}) o)
  `;
  const gone = await currentSql().rows(
    changed,
    `
      delete from sip_server s
      where ${missing} and not exists (select 1 from sip_account a where a.server_id = s.id)
      returning ${changed}
    `,
  );
  const closed = await currentSql().rows(
    changed,
    `
      update sip_server s
      set closed = true, version = version + 1, updated_at = now()
      where not s.closed and ${missing}
      returning ${changed}
    `,
  );
  const serverIds = [...there, ...closed].map((server) => server.id);
  if (serverIds.length > 0) {
    await publishAccounts({ serverIds: serverIds });
    await publishServers(serverIds);
  }
  await publishServersGone(gone);
  for (const [companyId, servers] of Map.groupBy([...there, ...gone, ...closed], (server) => server.companyId)) {
    const ids = servers.map((server) => server.id);
    for (const kind of ['sipServer', 'sipAccount'] as const) await emitLive(companyId, kind, ids, null);
  }
}

const room = columns(CompanyCopy, 'c', ['fcsEnabled', 'fcsLimit', 'fcsUsed']);
const used = columns(CompanyCopy, 'c', ['id', 'fcsUsed', 'useVersion']);

/** Publishes the use of FCS, so that `org` does not give used accounts to channels. */
async function publishFcsUse(rows: readonly RowOf<typeof used>[]): Promise<void> {
  for (const { id, fcsUsed, useVersion } of rows)
    await emit(provisioningFcsUse, 'use', id, { companyId: id, used: fcsUsed }, { companyId: id, version: useVersion });
}

/**
 * Counts new FCS accounts of the own company, or fails when they exceed the limit. The atomic update runs before they
 * are added, so that parallel calls count each other.
 */
export async function takeFcs(count: number): Promise<void> {
  if (count === 0) return;
  const done = await currentSql().rows(
    used,
    `
      update company_copy c
      set fcs_used = fcs_used + $2, use_version = use_version + 1
      where c.id = $1 and c.fcs_enabled and c.fcs_used + $2 <= c.fcs_limit
      returning ${used}
    `,
    [context().companyId, count],
  );
  if (done.length > 0) return publishFcsUse(done);
  const [now] = await currentSql().rows(room, `select ${room} from company_copy c where c.id = $1`, [
    context().companyId,
  ]);
  if (!now?.fcsEnabled) fail('fcs.off');
  fail('fcs.limit', { limit: now.fcsLimit, used: now.fcsUsed });
}

/** Subtracts deleted FCS accounts from the company's count. */
export async function giveBackFcs(count: number): Promise<void> {
  if (count === 0) return;
  await publishFcsUse(
    await currentSql().rows(
      used,
      `
        update company_copy c
        set fcs_used = greatest(0, fcs_used - $2), use_version = use_version + 1
        where c.id = $1
        returning ${used}
      `,
      [context().companyId, count],
    ),
  );
}
