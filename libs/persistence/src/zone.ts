import { currentSql } from './transaction.ts';

/** Whether the database can reckon in a zone (IANA): only then may SQL be given it. */
export async function knowsZone(zone: string): Promise<boolean> {
  return (await currentSql().query('select 1 from pg_timezone_names where name = $1', [zone])).rowCount > 0;
}
