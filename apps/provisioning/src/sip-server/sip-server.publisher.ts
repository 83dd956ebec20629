import { provisioningServer } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql, platform, type Database } from '@carillon/persistence';
import { configureChanged } from '../device-config/config-due.ts';
import { SipServer } from './sip-server.entity.ts';

const view = columns(SipServer, 's', ['id', 'companyId', 'name', 'address', 'version']);

/** Publishes these servers to the device service; without ids all that the session sees. */
export async function publishServers(ids?: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    view,
    `select ${view} from sip_server s where $1::uuid[] is null or s.id = any ($1)`,
    [ids ?? null],
  );
  if (ids !== undefined) await configureChanged('server', rows);
  await emitMany(
    provisioningServer,
    'server',
    rows.map(({ version, ...data }) => ({ key: data.id, data, version, companyId: data.companyId })),
  );
}

/** Publishes the deletion of servers. */
export async function publishServersGone(
  servers: readonly { id: string; companyId: string; version: number }[],
): Promise<void> {
  await emitMany(
    provisioningServer,
    'server',
    servers.map(({ id, companyId, version }) => ({ key: id, data: null, version: version + 1, companyId })),
  );
}

/** Publishes all servers again, for a new or damaged copy. */
export function republishServers(database: Database): Promise<void> {
  return platform(database, 'republish all SIP servers', () => publishServers());
}
