import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AlarmLevel } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A company's setting for an alarm kind: its level, and whether it is raised at all. */
const AlarmRuleSchema = defineEntity({
  name: 'AlarmRule',
  tableName: 'alarm_rule',
  ...tenant(),
  properties: {
    companyId: p.uuid().primary(),
    kind: p.integer().primary(),
    level: p.string().$type<AlarmLevel>().length(8),
    enabled: p.boolean(),
  },
});
export class AlarmRule extends AlarmRuleSchema.class {}
AlarmRuleSchema.setClass(AlarmRule);

/**
 * Suppresses notices of matching alarms for a while. Without an organization it covers all, and was created by a user
 * who sees all.
 */
const AlarmSilenceSchema = defineEntity({
  name: 'AlarmSilence',
  tableName: 'alarm_silence',
  indexes: [{ name: 'alarm_silence_until', expression: 'create index alarm_silence_until on alarm_silence (until)' }],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid().strictNullable(),
    kind: p.integer().strictNullable(),
    siteId: p.uuid().strictNullable(),
    deviceId: p.uuid().strictNullable(),
    until: instant(3),
    createdBy: p.string().length(128),
  },
});
export class AlarmSilence extends AlarmSilenceSchema.class {}
AlarmSilenceSchema.setClass(AlarmSilence);
