import { chainKey, verifyChains } from '@carillon/notification/chain';
import { Database } from '@carillon/persistence';
import { v7 as uuidv7 } from 'uuid';
import { dataFolder, readSecrets, readState } from './data-folder.ts';
import { Trouble } from './trouble.ts';

const sentences = {
  altered: 'is not as it was written',
  removed: 'is gone',
  added: 'was not written by the product',
} as const;

/**
 * Recomputes the chain of every company's operation log (SYS-04). Exits 1 and names each entry that breaks the chain.
 */
export async function audit(options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const secrets = readSecrets(folder, uuidv7);
  const database = await Database.open({
    connection: {
      host: state.postgres.socket,
      port: 5432,
      database: 'carillon_notification',
      user: 'carillon_notification_app',
      password: secrets.databases['notification']!.app,
      poolMax: 1,
    },
    entities: [],
    migrations: [],
  });
  try {
    const { companies, entries, faults } = await verifyChains(
      database,
      chainKey(Buffer.from(secrets.mailKey, 'base64url')),
    );
    for (const { companyId, seq, what } of faults)
      process.stdout.write(`company ${companyId}: entry ${seq} ${sentences[what]}\n`);
    process.stdout.write(
      `${entries} entries of ${companies} ${companies === 1 ? 'company' : 'companies'}: ${faults.length === 0 ? 'nothing was altered or removed' : `${faults.length} faults`}\n`,
    );
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
