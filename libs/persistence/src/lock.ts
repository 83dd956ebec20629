import { currentSql } from './transaction.ts';

/**
 * Holds the lock of this name until the transaction ends: alone, or shared with others that share it. The name says
 * what is locked and whose it is: `webhook 0199…`.
 */
export async function holdLock(name: string, how: 'alone' | 'shared' = 'alone'): Promise<void> {
  const call = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await currentSql().query(`select ${call}(hashtextextended($1, 0))`, [name]);
}
