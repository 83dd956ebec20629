import { z } from 'zod';
import { choice, filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { route } from '../define/route.ts';
import { alarmCauses, alarmEnds, alarmLevels, alarmStates } from './message.schemas.ts';

const kind = z.number().int();

/** An alarm group: all equal alarms, by kind and cause. The counts cover the organizations that the caller sees. */
export const alarmRecord = z
  .object({
    id,
    type: kind,
    level: z.enum(alarmLevels),
    title: z.string(),
    content: z.string(),
    /** What the alarms have in common. */
    cause: z.enum(alarmCauses),
    causeId: z.string().nullable(),
    causeName: z.string().nullable(),
    /** Set for an alarm of a single device. */
    objectId: z.string().nullable(),
    objectName: z.string().nullable(),
    devices: z.number().int(),
    /** Number of devices whose alarm is still open. */
    open: z.number().int(),
    /** Number of occurrences. */
    count: z.number().int(),
    state: z.enum(alarmStates),
    read: z.boolean(),
    /** Times of the first and the last occurrence. */
    createTime: z.string(),
    lastAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .meta({ id: 'Alarm' });

export const alarmEpisodeRecord = z
  .object({
    id,
    deviceId: id,
    deviceName: z.string(),
    mac: z.string(),
    /** Line or door of the alarm, if any. */
    line: z.number().int().nullable(),
    account: z.string().nullable(),
    count: z.number().int(),
    beganAt: z.string(),
    lastAt: z.string(),
    endedAt: z.string().nullable(),
    ended: z.enum(alarmEnds).nullable(),
    acknowledgedAt: z.string().nullable(),
    acknowledgedBy: z.string().nullable(),
    silenced: z.boolean(),
  })
  .meta({ id: 'AlarmEpisode' });

/** Lists the alarms of devices for /alarm, including notices of type -3. */
export const listAlarms = route({
  method: 'GET',
  path: '/api/f/notification/alarm/list',
  summary: 'Alarms, one line for all equal ones, the last that happened first',
  permission: 'alarm',
  audit: 'none',
  query: z.object({
    /** Text in the name of a device or a cause. */
    search: z.string().trim().max(128).optional(),
    ...filters({
      type: choice(z.coerce.number().int().min(-99).max(999)),
      level: choice(z.enum(alarmLevels)),
      state: choice(z.enum(alarmStates)),
      read: flag,
      objectName: orEmpty(text()),
      causeName: orEmpty(text()),
      site: choice(id),
      devices: number,
      count: number,
      createTime: moment,
      lastAt: moment,
      endedAt: orEmpty(moment),
    }),
    ...pageQuery,
    sort: sortBy(['level', 'state', 'objectName', 'causeName', 'devices', 'count', 'createTime', 'lastAt', 'endedAt']),
  }),
  response: listOf(alarmRecord),
  errors: [],
});

export const listAlarmEpisodes = route({
  method: 'GET',
  path: '/api/f/notification/alarm/{id}/episodes',
  summary: 'The devices of an alarm, those it goes on at first',
  permission: 'alarm',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({ ...pageQuery }),
  response: listOf(alarmEpisodeRecord),
  errors: [],
});

/** Marks alarms as acknowledged by the user. An event, for example a tamper alarm, ends with that. */
export const acknowledgeAlarms = route({
  method: 'POST',
  path: '/api/f/notification/alarm/acknowledge',
  summary: 'Acknowledge alarms, named ones or all',
  permission: 'editAlarm',
  audit: 'alarm.acknowledge',
  body: z.union([z.strictObject({ ids: z.array(id).min(1).max(1000) }), z.strictObject({ all: z.literal(true) })]),
  response: z.object({ acknowledged: z.number().int() }),
  errors: [],
});

const rule = z.object({ type: kind, level: z.enum(alarmLevels), enabled: z.boolean() }).meta({ id: 'AlarmRule' });

export const listAlarmRules = route({
  method: 'GET',
  path: '/api/f/notification/alarm/rule',
  summary: 'The level of each kind of alarm, and whether it is raised',
  permission: 'alarm',
  audit: 'none',
  response: z.array(rule),
  errors: [],
});

/** Edits a rule. It applies to later alarms only. */
export const editAlarmRule = route({
  method: 'PUT',
  path: '/api/f/notification/alarm/rule',
  summary: 'Choose the level of a kind of alarm, or that it is none',
  permission: 'editAlarmRule',
  audit: 'alarm.editRule',
  body: z.strictObject({ type: kind.min(0).max(9), level: z.enum(alarmLevels), enabled: z.boolean() }),
  response: z.array(rule),
  errors: ['alarm.narrowed', 'common.notFound'],
});

export const listAlarmSilences = route({
  method: 'GET',
  path: '/api/f/notification/alarm/silence',
  summary: 'What is silenced, and until when',
  permission: 'alarm',
  audit: 'none',
  response: z.array(
    z.object({
      id,
      type: kind.nullable(),
      siteId: id.nullable(),
      siteName: z.string().nullable(),
      deviceId: id.nullable(),
      deviceName: z.string().nullable(),
      until: z.string(),
      createdBy: z.string(),
    }),
  ),
  errors: [],
});

/**
 * Adds a silence. All given fields must match. Matching alarms are raised and listed, but cause no bell notice and no
 * mail.
 */
export const addAlarmSilence = route({
  method: 'POST',
  path: '/api/f/notification/alarm/silence',
  summary: 'Silence alarms for a while: of a kind, a site or a device',
  permission: 'editAlarm',
  audit: 'alarm.silence',
  status: 201,
  body: z
    .strictObject({
      type: kind.min(0).max(9).optional(),
      siteId: id.optional(),
      deviceId: id.optional(),
      minutes: z.number().int().min(5).max(43_200),
    })
    .refine((b) => b.type !== undefined || b.siteId !== undefined || b.deviceId !== undefined, {
      message: 'alarm.silenceNothing',
      path: ['type'],
    }),
  response: z.object({ until: z.string() }),
  errors: ['alarm.silenceNothing', 'alarm.tooManySilences', 'common.notFound'],
});

export const endAlarmSilence = route({
  method: 'DELETE',
  path: '/api/f/notification/alarm/silence',
  summary: 'End a silence; what still goes on is told',
  permission: 'editAlarm',
  audit: 'alarm.endSilence',
  query: z.object({ id }),
  response: z.null(),
  errors: [],
});
