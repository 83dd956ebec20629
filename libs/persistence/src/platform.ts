import { createLogger } from '@carillon/observability';
import type { Database } from './database.ts';
import { asRole, inTransaction, transaction } from './transaction.ts';

const log = createLogger('persistence');

/** Returns the role that sees every company: granted to the application role for SET ROLE only, never inherited. */
export const platformRole = (databaseName: string): string => `${databaseName}_platform`;

/**
 * Runs `fn` across companies, which is allowed only here: for login (find the user of a name), recovery ticks and
 * installation tools. Logs the reason. `fn` runs without policies, so keep it to the few lines that need it.
 */
export async function platform<T>(database: Database, reason: string, fn: () => Promise<T>): Promise<T> {
  log.debug({ reason }, 'platform crossing');
  if (inTransaction()) return asRole(platformRole(database.name), fn);
  return transaction(database, { companyId: null, orgIds: '*', role: platformRole(database.name) }, fn);
}
