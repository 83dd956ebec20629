import { restoreAdministrator as restore } from '@carillon/auth/restore-administrator';
import { Database } from '@carillon/persistence';
import { v7 as uuidv7 } from 'uuid';
import { dataFolder, readSecrets, readState } from './data-folder.ts';
import { Trouble } from './trouble.ts';

/** Makes a user an administrator of their company again. */
export async function restoreAdministrator(name: string, options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const database = await Database.open({
    connection: {
      host: state.postgres.socket,
      port: 5432,
      database: 'carillon_auth',
      user: 'carillon_auth_app',
      password: readSecrets(folder, uuidv7).databases['auth']!.app,
      poolMax: 1,
    },
    entities: [],
    migrations: [],
  });
  try {
    const username = await restore(database, name);
    if (username === undefined) throw new Trouble(`No user has the login name or email ${name}.`);
    process.stdout.write(`${username} is an administrator again\n`);
  } finally {
    await database.close();
  }
}
