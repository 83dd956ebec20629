import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventData, linkGateway } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

/**
 * Which process of a gateway lives, as a service that reads sessions knows it. Sessions and the deaths of gateways come
 * by two topics, in any order: a session that a dead process began may arrive after the death, and nobody would ever
 * end it. So a session of a process other than the living one counts as ended when it began before that was known
 * (GW-03). Sessions share the lock, so that none slips past a death.
 */
const LinkGatewaySchema = defineEntity({
  name: 'LinkGateway',
  tableName: 'link_gateway',
  properties: {
    /** Of the gateway; its processes are `name#id`. */
    name: p.text().primary(),
    /** The process that lives; null when none does. */
    gateway: p.text().strictNullable(),
    /** Epoch milliseconds of the newest word. */
    at: p.double(),
  },
});
export class LinkGateway extends LinkGatewaySchema.class {}
LinkGatewaySchema.setClass(LinkGateway);

const gatewayLock = 7_261_002;

/** SQL: whether the process of a session that began at `at` (epoch ms) is known to be dead. */
export const deadGatewaySql = (gateway: string, at: string): string => `exists (
  select 1
  from link_gateway g
  where g.name = split_part(${gateway}, '#', 1) and g.gateway is distinct from ${gateway} and g.at >= ${at}
)`;

/** First in a handler of sessions. */
export async function shareGatewayLock(): Promise<void> {
  await currentSql().query(`select pg_advisory_xact_lock_shared(${gatewayLock})`);
}

/** First in a handler of gateways: stores what one of them says. */
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
