import { currentSql } from './transaction.ts';

/** Returns whether the database knows a time zone (IANA): only then SQL may use it. */
export async function knowsZone(zone: string): Promise<boolean> {
  return (await currentSql().query('select 1 from pg_timezone_names where name = $1', [zone])).rowCount > 0;
}
