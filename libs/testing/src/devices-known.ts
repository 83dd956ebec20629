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

/** Waits until `ask`, the database of the task service, knows so many devices: see `devicesKnown`. */
export function devicesKnownBy(ask: Ask, capable: number, online = capable): Promise<void> {
  return eventually(async () => {
    const [known] = (await ask(sql)).rows;
    if (known!.capable < capable || known!.online !== online)
      throw new Error(`${known!.capable} of ${capable} are capable, ${known!.online} of ${online} online`);
  }, 60_000);
}

/**
 * Waits until the task service knows what so many devices can do, and that so many are connected: before a device's
 * hello has come to it every action is refused.
 */
export const devicesKnown = (task: Database, capable: number, online?: number): Promise<void> =>
  devicesKnownBy((text) => platform(task, 'test', () => currentSql().query<Known>(text)), capable, online);
