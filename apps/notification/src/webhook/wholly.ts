import { currentSql } from '@carillon/persistence';

/** All organizations of the company, as for the system: what is told belongs to whoever listens, and not to who acts. */
export async function wholly<T>(work: () => Promise<T>): Promise<T> {
  const {
    rows: [access],
  } = await currentSql().query<{ was: string }>(`select current_setting('app.org_ids') as was`);
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
  const done = await work();
  await currentSql().query(`select set_config('app.org_ids', $1, true)`, [access!.was]);
  return done;
}
