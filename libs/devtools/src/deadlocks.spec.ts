import { expect, it } from 'vitest';
import { deadlocksOf } from './deadlocks.ts';

const at = '2026-11-27 20:15:02.118 UTC';

it('finds each deadlock in a PostgreSQL log with the statements that waited for each other', () => {
  const log = [
    `${at} [11] LOG:  database system is ready to accept connections`,
    `${at} [40] ERROR:  deadlock detected`,
    `${at} [40] DETAIL:  Process 40 waits for ShareLock on transaction 9; blocked by process 41.`,
    '\tProcess 41 waits for ShareLock on transaction 8; blocked by process 40.',
    '\tProcess 40: update line set account_id = null',
    '\tProcess 41: update sip_account set state = $1',
    `${at} [40] HINT:  See server log for query details.`,
    `${at} [40] CONTEXT:  while updating tuple (0,3) in relation "line"`,
    `${at} [40] STATEMENT:  update line set account_id = null`,
    `${at} [52] ERROR:  duplicate key value violates unique constraint "role_name"`,
    `${at} [52] DETAIL:  Key (name)=(Desk) already exists.`,
    `${at} [60] ERROR:  deadlock detected`,
    `${at} [60] DETAIL:  Process 60 waits for ShareLock on transaction 12; blocked by process 61.`,
    '',
  ].join('\n');
  const found = deadlocksOf(log);
  expect(found).toHaveLength(2);
  expect(found[0]!.split('\n')).toHaveLength(7);
  expect(found[0]).toContain('Process 41: update sip_account');
  expect(found[0]).toMatch(/STATEMENT: {2}update line set account_id = null$/);
  expect(found[1]).toMatch(/blocked by process 61\.$/);
});

it('finds none in a log without deadlocks', () => {
  expect(deadlocksOf('')).toEqual([]);
  expect(deadlocksOf(`${at} [52] ERROR:  duplicate key value violates unique constraint "role_name"\n`)).toEqual([]);
});
