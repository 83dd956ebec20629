import { Database, type Connection } from '@carillon/persistence';
import { renewAllKeys } from '@carillon/service/renew-all-keys';

/** What services keep under keys of companies, and how the operation log calls these. */
const kept = [
  { service: 'provisioning', name: 'accountKey', what: 'passwords of accounts' },
  { service: 'resource', name: 'fileKey', what: 'configuration files' },
];

/** Orders a new key for every company; the services make it, and go on until nothing needs the old one any more. */
export async function renewKeysAt(connectionOf: (service: string) => Connection): Promise<string[]> {
  const told: string[] = [];
  for (const { service, name, what } of kept) {
    const database = await Database.open({ connection: connectionOf(service), entities: [], migrations: [] });
    try {
      const count = await renewAllKeys(database, name);
      told.push(`${what}: ${count} ${count === 1 ? 'company gets' : 'companies get'} a new key`);
    } finally {
      await database.close();
    }
  }
  return told;
}
