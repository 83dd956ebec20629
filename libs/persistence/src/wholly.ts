import { currentSql } from './transaction.ts';

/** Runs `work` with all organizations of the company, like the system: it may concern more than the acting user sees. */
export async function wholly<T>(work: () => Promise<T>): Promise<T> {
  const {
    rows: [access],
  } = await currentSql().query<{ was: string }>(`select current_setting('app.org_ids') as was`);
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
  const done = await work();
  await currentSql().query(`select set_config('app.org_ids', $1, true)`, [access!.was]);
  return done;
}
