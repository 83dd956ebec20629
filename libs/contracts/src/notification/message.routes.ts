import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, instant, listOf, pageQuery, sortBy } from '../define/list.ts';
import { alarmLevels } from './message.schemas.ts';

/**
 * What the bell shows: one line per type, with the number of unread messages, the days left if something expires, and
 * the time of the newest one.
 */
export const noticeRecord = z
  .object({
    type: z.number().int(),
    title: z.string(),
    total: z.number().int(),
    date: z.number().int().nullable(),
    createTime: z.string(),
  })
  .meta({ id: 'Notice' });

export const messageRecord = z
  .object({
    id,
    type: z.number().int(),
    level: z.enum(alarmLevels),
    title: z.string(),
    content: z.string(),
    date: z.number().int().nullable(),
    createTime: z.string(),
    read: z.boolean(),
    objectId: z.string().nullable(),
    objectName: z.string().nullable(),
  })
  .meta({ id: 'Message' });

const ids = z.array(id).min(1).max(1000);
/** An array of ids, or an object that contains one. */
const idsBody = z.union([z.strictObject({ ids }), ids]);

export const listNotices = route({
  method: 'GET',
  path: '/api/f/mc/message/notice',
  summary: 'What the bell shows, newest first',
  permission: 'session',
  visitors: true,
  audit: 'none',
  passive: true,
  response: z.array(noticeRecord),
  errors: [],
});

/** `tab` is `device` for messages of devices (types of 0 and more), `message` for the rest. */
export const listMessages = route({
  method: 'GET',
  path: '/api/f/mc/message/list',
  summary: 'Messages and alarms, newest first',
  permission: 'alarm',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      type: choice(z.coerce.number().int().min(-99).max(999)),
      level: choice(z.enum(alarmLevels)),
      objectName: orEmpty(text()),
      createTime: moment,
    }),
    read: z.enum(['true', 'false']).optional(),
    tab: z.enum(['device', 'message']).optional(),
    /** Both inclusive; older spelling of `createTime.from` and `createTime.to`. */
    from: instant.optional(),
    to: instant.optional(),
    ...pageQuery,
    sort: sortBy(['createTime', 'level', 'objectName']),
  }),
  response: listOf(messageRecord),
  errors: [],
});

export const readMessages = route({
  method: 'POST',
  path: '/api/f/mc/message/read',
  summary: 'Mark messages as read, for oneself',
  permission: 'alarm',
  audit: 'message.read',
  body: idsBody,
  response: z.object({ read: z.number().int() }),
  errors: [],
});

/** Marks messages as read: of one type, or -1 for all. They stay in the list. */
export const clearMessages = route({
  method: 'GET',
  path: '/api/f/mc/message/clear/{type}',
  summary: 'Mark all messages of a type as read, for oneself',
  permission: 'alarm',
  audit: 'message.clear',
  params: z.object({ type: z.coerce.number().int().min(-99).max(999) }),
  response: z.object({ read: z.number().int() }),
  errors: [],
});

export const deleteMessages = route({
  method: 'DELETE',
  path: '/api/f/mc/message',
  summary: 'Delete messages, for the company',
  permission: 'deleteMessage',
  audit: 'message.delete',
  body: idsBody,
  response: z.object({ deleted: z.number().int() }),
  errors: [],
});

const entry = z.object({
  url: z.string().max(1024),
  time: instant,
  type: z.string().max(64),
  message: z.string().max(2048),
  stack: z.string().max(8192).default(''),
  info: z.string().max(2048).default(''),
});

/**
 * Stores the browser's local error log (SYS-05). Takes at most 50 entries a call, with a limit per minute (429
 * names the seconds).
 */
export const reportErrors = route({
  method: 'POST',
  path: '/api/f/notification/errorLog',
  summary: 'Hand in the local error log of a browser',
  permission: 'session',
  visitors: true,
  audit: 'session',
  passive: true,
  bodyLimit: 65_536,
  body: z.strictObject({ logs: z.array(entry).min(1).max(50) }),
  response: z.object({ stored: z.number().int() }),
  errors: ['common.tooMany'],
});

export const listErrors = route({
  method: 'GET',
  path: '/api/f/notification/errorLog/list',
  summary: 'Errors that browsers of the company handed in, newest first',
  permission: 'operationLog',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      time: moment,
      at: moment,
      username: text(),
      type: text(64),
      message: text(128),
      url: text(128),
    }),
    ...pageQuery,
    sort: sortBy(['time', 'message', 'username', 'url', 'type', 'at']),
  }),
  response: listOf(
    z.object({
      id,
      at: z.string(),
      userId: id.nullable(),
      username: z.string(),
      url: z.string(),
      time: z.string(),
      type: z.string(),
      message: z.string(),
      stack: z.string(),
      info: z.string(),
    }),
  ),
  errors: [],
});
