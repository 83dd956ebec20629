import { createLogger } from '@carillon/observability';
import type { Database } from './database.ts';
import { asRole, inTransaction, transaction } from './transaction.ts';

const log = createLogger('persistence');

/** Role that sees every company: granted to the application role for SET ROLE only, inherited by nobody. */
export const platformRole = (databaseName: string): string => `${databaseName}_platform`;

/**
 * The one legal crossing between companies: login (who is this name?), recovery ticks, installation tools. The reason
 * is logged. Everything inside runs without policies, so keep it to the few lines that need it.
 */
export async function platform<T>(database: Database, reason: string, fn: () => Promise<T>): Promise<T> {
  log.debug({ reason }, 'platform crossing');
  if (inTransaction()) return asRole(platformRole(database.name), fn);
  return transaction(database, { companyId: null, orgIds: '*', role: platformRole(database.name) }, fn);
}
