import { z } from 'zod';
import { route } from '../define/route.ts';
import { id, listOf, many, pageQuery } from '../define/list.ts';

export const operationLogRecord = z.object({
  id, at: z.string(), userId: id.nullable(), username: z.string(), action: z.string(), objectId: z.string().nullable(), objectName: z.string().nullable(), address: z.string().nullable(),
  result: z.string(), requestId: z.string().nullable(), detail: z.record(z.string(), z.unknown()),
}).meta({ id: 'OperationLogEntry' });

export const listOperationLog = route({
  method: 'GET', path: '/api/f/notification/operationLog/list', summary: 'Who did what, newest first', permission: 'operationLog', audit: 'none',
  query: z.object({ search: z.string().trim().max(128).optional(), action: many(z.string().max(64)), result: many(z.string().max(64)), ...pageQuery }),
  response: listOf(operationLogRecord), errors: [],
});
