import type { LineStatus } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

/** From the worst to the best: an account has the worst status of its lines. */
const ranks: readonly LineStatus[] = ['failed', 'abnormal', 'unregistered', 'calling', 'registered'];

/** Replaces the lines of devices by those of their copies. The caller holds the locks of their accounts. */
export async function storeLines(devices: readonly string[]): Promise<void> {
  await currentSql().query('delete from account_line where device_id = any ($1::uuid[])', [devices]);
  await currentSql().query(
    `
      insert into account_line (id, company_id, account_id, device_id, line, status, reported)
      select gen_random_uuid(), d.company_id, x."accountId", d.id, x.line, x.status, left(x.reported, 128)
      from device_copy d
      cross join lateral jsonb_to_recordset(d.accounts) as x("accountId" uuid, line int, status text, reported text)
      where d.id = any ($1::uuid[])
    `,
    [devices],
  );
}

/**
 * Stores the status of each account from its lines. A line whose device reports another account is unregistered. The
 * caller holds the locks of the accounts.
 */
export async function storeStatuses(accounts: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      with worst as (
        select a.id, min(array_position(
          $2::text[],
          case when l.reported is null or split_part(l.reported, '@', 1) = a.number then l.status::text
            when l.id is not null then 'unregistered' end
        )) as rank
        from sip_account a
        left join account_line l on l.account_id = a.id
        where a.id = any ($1::uuid[])
        group by a.id
      )
      update sip_account a
      set status = coalesce(($2::text[])[w.rank], 'unassigned')
      from worst w
      where a.id = w.id and a.status is distinct from coalesce(($2::text[])[w.rank], 'unassigned')
    `,
    [accounts, ranks],
  );
}
