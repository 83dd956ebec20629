import { type EventData, type linkGateway } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

/**
 * Sessions and the deaths of gateways come by two topics, in any order: a session that a dead process began may be told
 * of after its death, and nobody would ever end it. So it is noted which process of a name lives, and a session of
 * another that began before counts as ended (GW-03). Sessions share the lock, so that none slips past a death.
 */
const lock = 7_261_002;

/** SQL: whether the process of a session that began at `at` (epoch ms) is known to be dead. */
export const deadSql = (gateway: string, at: string): string =>
  `exists (select 1 from link_gateway g where g.name = split_part(${gateway}, '#', 1) and g.gateway is distinct from ${gateway} and g.at >= ${at})`;

/** First in a handler of sessions. */
export async function holdGateways(): Promise<void> {
  await currentSql().query(`select pg_advisory_xact_lock_shared(${lock})`);
}

/** First in a handler of gateways: notes what one of them says. */
export async function noteGateway(type: string, { name, gateway, at }: EventData<typeof linkGateway>): Promise<void> {
  await currentSql().query(`select pg_advisory_xact_lock(${lock})`);
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
