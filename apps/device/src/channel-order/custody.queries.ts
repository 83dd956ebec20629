import type { custodySteps } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

/**
 * Records a change of hands as one company saw it. For a company other than the session's call it inside of
 * `platform()`.
 */
export async function noteSteps(
  companyId: string,
  macs: readonly string[],
  step: (typeof custodySteps)[number],
  company: string | null,
): Promise<void> {
  await currentSql().query(
    `
      insert into custody (id, company_id, mac, step, other_name, at)
      select gen_random_uuid(), $1, m, $3, $4, now()
      from unnest($2::text[]) m
    `,
    [companyId, macs, step, company],
  );
}
