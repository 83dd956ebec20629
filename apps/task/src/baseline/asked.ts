import { defineEntity, p } from '@mikro-orm/postgresql';
import { currentSql, tenant } from '@carillon/persistence';
import { followSql } from './follow.ts';

/** Devices for which a baseline requested approval of its version. A refusal does not cover other devices. */
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
 * Stores the devices of a request for approval: all that are behind, including offline ones, so that no new request
 * follows when they come and go. The caller sees all organizations.
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

/** Deletes them: the request was approved, the version changed, or the baseline is gone. */
export async function forgetAsked(baselineId: string): Promise<void> {
  await currentSql().query('delete from baseline_asked where baseline_id = $1', [baselineId]);
}
