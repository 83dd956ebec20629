import { columns, currentSql, inCompany, platform, type Database } from '@carillon/persistence';
import { emitAudit } from '../audit.ts';
import { DataKey } from '../company-secrets.ts';
import { orderRenewal } from './key-renewal.entity.ts';

const owner = columns(DataKey, 'k', ['companyId']);

/**
 * Orders a new key for each company that has one. Returns their number, without companies whose change is already
 * ordered.
 */
export async function renewAllKeys(database: Database, name: string): Promise<number> {
  const companies = await platform(database, 'an operator renews the keys of all companies', () =>
    currentSql().rows(owner, `select ${owner} from data_key k group by k.company_id`),
  );
  let count = 0;
  for (const { companyId } of companies)
    await inCompany(database, companyId, async () => {
      if (!(await orderRenewal())) return;
      await emitAudit(`${name}.renew`, 'success', {});
      count++;
    });
  return count;
}
