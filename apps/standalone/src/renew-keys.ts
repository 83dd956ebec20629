import { Database, type Connection } from '@carillon/persistence';
import { renewAllKeys } from '@carillon/service/renew-all-keys';

/** Data that services encrypt with company keys, and the names in the operation log. */
const kept = [
  { service: 'provisioning', name: 'accountKey', what: 'passwords of accounts' },
  { service: 'resource', name: 'fileKey', what: 'configuration files' },
];

/** Requests a new key for every company. The services create it and re-encrypt until nothing needs the old one. */
export async function renewKeysAt(connectionOf: (service: string) => Connection): Promise<string[]> {
  const lines: string[] = [];
  for (const { service, name, what } of kept) {
    const database = await Database.open({ connection: connectionOf(service), entities: [], migrations: [] });
    try {
      const count = await renewAllKeys(database, name);
      lines.push(`${what}: ${count} ${count === 1 ? 'company gets' : 'companies get'} a new key`);
    } finally {
      await database.close();
    }
  }
  return lines;
}
