import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AlarmCause, AlarmEnd, AlarmLevel } from '@carillon/contracts';
import { instant, seesAllSql, tenant, tenantProperties } from '@carillon/persistence';

/** Visible to users who see all organizations, and to users who see one with a part of it. */
export const alarmGroupPolicy = `(${seesAllSql} or exists (
  select 1 from alarm_sum seen where seen.line_id = alarm_line.id
))`;

/**
 * An alarm group: equal alarms, which are one row of the list, however many devices raise them (NOTE-04). Tables and
 * columns call it `line`: a rename would stop processes of the version before during a rolling upgrade.
 */
const AlarmGroupSchema = defineEntity({
  name: 'AlarmGroup',
  tableName: 'alarm_line',
  indexes: [
    {
      name: 'alarm_line_cause',
      expression: 'create index alarm_line_cause on alarm_line (company_id, kind, cause, cause_id, began_at desc)',
    },
  ],
  ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: alarmGroupPolicy, check: alarmGroupPolicy }],
  properties: {
    ...tenantProperties,
    kind: p.integer(),
    level: p.string().$type<AlarmLevel>().length(8),
    cause: p.string().$type<AlarmCause>().length(8),
    causeId: p.string().length(256).strictNullable(),
    causeName: p.string().length(256).strictNullable(),
    beganAt: instant(3),
  },
});
export class AlarmGroup extends AlarmGroupSchema.class {}
AlarmGroupSchema.setClass(AlarmGroup);

/**
 * The sums of an alarm group in one organization. They decide who sees the group, and which figures. Stored, because a
 * list needs them, and ten thousand episodes could not be counted each time.
 */
const AlarmSumSchema = defineEntity({
  name: 'AlarmSum',
  tableName: 'alarm_sum',
  ...tenant({ organization: true }),
  properties: {
    groupId: p.uuid().fieldName('line_id').primary(),
    orgId: p.uuid().primary(),
    companyId: p.uuid(),
    devices: p.integer(),
    /** Number of open episodes; of these the unacknowledged and the silenced ones. */
    open: p.integer(),
    waiting: p.integer(),
    silenced: p.integer(),
    /** Number of occurrences. */
    count: p.integer(),
    beganAt: instant(3),
    lastAt: instant(3),
    endedAt: instant(3).strictNullable(),
    /** Time of the last notice: earlier reads no longer count. Null: it was silenced. */
    raisedAt: instant(3).strictNullable(),
    /** The only device, or the first one. */
    deviceId: p.uuid(),
    deviceName: p.string().length(64),
    detail: p.string().length(256).strictNullable(),
  },
});
export class AlarmSum extends AlarmSumSchema.class {}
AlarmSumSchema.setClass(AlarmSum);

/** An episode: an alarm of a device, or of one of its lines or doors. At most one is open at a time. */
const AlarmSchema = defineEntity({
  name: 'Alarm',
  tableName: 'alarm',
  indexes: [
    {
      name: 'alarm_open',
      expression: 'create unique index alarm_open on alarm (device_id, kind, sub) where (ended_at is null)',
    },
    { name: 'alarm_device', expression: 'create index alarm_device on alarm (device_id, kind, sub, ended_at desc)' },
    { name: 'alarm_line_id', expression: 'create index alarm_line_id on alarm (line_id, ended_at desc, last_at desc)' },
    { name: 'alarm_ended', expression: 'create index alarm_ended on alarm (ended_at) where (ended_at is not null)' },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    groupId: p.uuid().fieldName('line_id'),
    kind: p.integer(),
    deviceId: p.uuid(),
    /** Line or door; 0 is the device itself. */
    sub: p.integer(),
    deviceName: p.string().length(64),
    mac: p.string().length(12),
    siteId: p.uuid().strictNullable(),
    /** The account that cannot register, or the version of a firmware. */
    detail: p.string().length(256).strictNullable(),
    count: p.integer(),
    beganAt: instant(3),
    /** Time of the last occurrence. */
    lastAt: instant(3),
    /** Time of the notice. */
    raisedAt: instant(3),
    endedAt: instant(3).strictNullable(),
    ended: p.string().$type<AlarmEnd>().length(16).strictNullable(),
    acknowledgedAt: instant(3).strictNullable(),
    acknowledgedBy: p.string().length(128).strictNullable(),
    silenced: p.boolean(),
    /** Webhooks received its start, so they also receive its end. */
    told: p.boolean().default(true),
  },
});
export class Alarm extends AlarmSchema.class {}
AlarmSchema.setClass(Alarm);

/**
 * A signal that may raise or end an alarm when it is due: an offline device has time to come back. Event handlers write
 * only signals, so that groups and sums are changed in one place, one company at a time.
 */
const AlarmSignalSchema = defineEntity({
  name: 'AlarmSignal',
  tableName: 'alarm_signal',
  indexes: [{ name: 'alarm_signal_due', expression: 'create index alarm_signal_due on alarm_signal (due_at)' }],
  ...tenant(),
  properties: {
    deviceId: p.uuid().primary(),
    kind: p.integer().primary(),
    sub: p.integer().primary(),
    companyId: p.uuid(),
    /** False: its cause has ended. */
    raised: p.boolean(),
    at: instant(3),
    dueAt: instant(3),
    ownerEpoch: p.integer(),
    /** The gateway that was lost, or the server that refuses. */
    source: p.string().length(256).strictNullable(),
    detail: p.string().length(256).strictNullable(),
    ended: p.string().$type<AlarmEnd>().length(16).strictNullable(),
  },
});
export class AlarmSignal extends AlarmSignalSchema.class {}
AlarmSignalSchema.setClass(AlarmSignal);

/** A task's command to a device, with the alarm kinds that it explains. */
const AlarmOrderSchema = defineEntity({
  name: 'AlarmOrder',
  tableName: 'alarm_order',
  ...tenant(),
  properties: {
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    kinds: p.array().columnType('int[]').$type<number[]>(),
    at: instant(3),
    until: instant(3),
  },
});
export class AlarmOrder extends AlarmOrderSchema.class {}
AlarmOrderSchema.setClass(AlarmOrder);

/** When a user last read an alarm group. */
const AlarmReadSchema = defineEntity({
  name: 'AlarmRead',
  tableName: 'alarm_read',
  ...tenant(),
  properties: {
    userId: p.uuid().primary(),
    groupId: p.uuid().fieldName('line_id').primary(),
    companyId: p.uuid(),
    at: instant(3),
  },
});
export class AlarmRead extends AlarmReadSchema.class {}
AlarmReadSchema.setClass(AlarmRead);

/** Whether a device is connected, read from the link itself. */
const LinkSessionSchema = defineEntity({
  name: 'LinkSession',
  tableName: 'link_session',
  indexes: [
    {
      name: 'link_session_gateway',
      expression: 'create index link_session_gateway on link_session (gateway) where online',
    },
  ],
  ...tenant(),
  properties: {
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    epoch: p.bigint('number'),
    ownerEpoch: p.integer(),
    online: p.boolean(),
    gateway: p.string().length(128),
    at: instant(3),
  },
});
export class LinkSession extends LinkSessionSchema.class {}
LinkSessionSchema.setClass(LinkSession);
