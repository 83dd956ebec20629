import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventData, linkGateway } from '@carillon/contracts';
import { currentSql, preparedSql } from '@carillon/persistence';

/**
 * The living process of each gateway, as known to a service that reads sessions. Sessions and gateway deaths arrive on
 * two topics in any order: a session of a dead process may arrive after the death, and nothing would ever end it. So a
 * session of another process than the living one counts as ended if it began before that was known (GW-03). Handlers of
 * sessions share the lock, so that no session slips past a death.
 */
const LinkGatewaySchema = defineEntity({
  name: 'LinkGateway',
  tableName: 'link_gateway',
  properties: {
    /** Name of the gateway; its processes are `name#id`. */
    name: p.text().primary(),
    /** The living process; null when there is none. */
    gateway: p.text().strictNullable(),
    /** Unix time in milliseconds of the newest message. */
    at: p.double(),
  },
});
export class LinkGateway extends LinkGatewaySchema.class {}
LinkGatewaySchema.setClass(LinkGateway);

const gatewayLock = 7_261_002;

/** SQL: whether the process of a session that began at `at` (Unix time in milliseconds) is known to be dead. */
export const deadGatewaySql = (gateway: string, at: string): string => `exists (
  select 1
  from link_gateway g
  where g.name = split_part(${gateway}, '#', 1) and g.gateway is distinct from ${gateway} and g.at >= ${at}
)`;

/** Takes the shared lock; call it first in a handler of sessions. */
export async function shareGatewayLock(): Promise<void> {
  await preparedSql().query(`select pg_advisory_xact_lock_shared(${gatewayLock})`);
}

/** Stores the message of a gateway; call it first in a handler of gateways. */
export async function storeGateway(type: string, { name, gateway, at }: EventData<typeof linkGateway>): Promise<void> {
  await currentSql().query(`select pg_advisory_xact_lock(${gatewayLock})`);
  await currentSql().query(
    `
      insert into link_gateway as g (name, gateway, at)
      values ($1, ${type === 'started' ? '$2' : 'null'}, $3)
      on conflict (name) do update set gateway = excluded.gateway, at = excluded.at
      where g.at <= excluded.at and (excluded.gateway is not null or g.gateway = $2)
    `,
    [name, gateway, at],
  );
}
