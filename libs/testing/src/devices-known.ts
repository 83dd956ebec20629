import { currentSql, platform, type Database } from '@carillon/persistence';
import { eventually } from './eventually.ts';

const sql = `
  select (select count(*)::int from device_copy where capabilities <> '[]') as capable,
    (select count(*)::int from link_session where online) as online
`;
interface Known {
  capable: number;
  online: number;
}
type Ask = (sql: string) => Promise<{ rows: Known[] }>;

/** Waits until the task service's database, which `ask` queries, knows the devices: see `devicesKnown`. */
export function devicesKnownBy(ask: Ask, capable: number, online = capable): Promise<void> {
  return eventually(async () => {
    const [known] = (await ask(sql)).rows;
    if (known!.capable < capable || known!.online !== online)
      throw new Error(`${known!.capable} of ${capable} are capable, ${known!.online} of ${online} online`);
  }, 60_000);
}

/**
 * Waits until the task service knows the capabilities of `capable` devices and sees `online` of them connected. It
 * refuses every action for a device whose hello it has not received.
 */
export const devicesKnown = (task: Database, capable: number, online?: number): Promise<void> =>
  devicesKnownBy((text) => platform(task, 'test', () => currentSql().query<Known>(text)), capable, online);
