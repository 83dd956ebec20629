import { v7 as uuidv7 } from 'uuid';
import { renewKeysAt } from '../renew-keys.ts';
import { dataFolder, readSecrets, readState } from './data-folder.ts';
import { Trouble } from './trouble.ts';

/** Creates new secret keys for every company. */
export async function renewKeys(options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const { databases } = readSecrets(folder, uuidv7);
  const lines = await renewKeysAt((service) => ({
    host: state.postgres.socket,
    port: 5432,
    database: `carillon_${service}`,
    user: `carillon_${service}_app`,
    password: databases[service]!.app,
    poolMax: 1,
  }));
  process.stdout.write(`${lines.join('\n')}\n`);
}
