import { defineEntity, p } from '@mikro-orm/postgresql';
import { currentSql, tenant } from '@carillon/persistence';
import { followSql } from './follow.ts';

/** For which devices a baseline asked for approval of its version. Who was not among them was not refused either. */
export const BaselineAsked = defineEntity({
  name: 'BaselineAsked',
  tableName: 'baseline_asked',
  properties: {
    baselineId: p.uuid().primary(),
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
  },
  ...tenant(),
});

/**
 * A task of the baseline asks for approval, by who sees all organizations: for all that are behind, also those that are
 * away, so that nobody is asked again as they come and go.
 */
export async function keepAsked(companyId: string, baselineId: string): Promise<void> {
  await currentSql().query(
    `
      insert into baseline_asked (baseline_id, device_id, company_id)
      select x.baseline_id, x.id, $2
      from ${followSql('0')} x
      where x.baseline_id = $1 and x.state in ('behind', 'stuck')
      on conflict do nothing
    `,
    [baselineId, companyId],
  );
}

/** It was given what it asked for, has another version, or is gone. */
export async function forgetAsked(baselineId: string): Promise<void> {
  await currentSql().query('delete from baseline_asked where baseline_id = $1', [baselineId]);
}
