import { z } from 'zod';
import { route } from '../define/route.ts';
import { filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, instant, listOf, pageQuery, sortBy } from '../define/list.ts';

export const operationLogRecord = z
  .object({
    id,
    at: z.string(),
    userId: id.nullable(),
    username: z.string(),
    action: z.string(),
    objectId: z.string().nullable(),
    objectName: z.string().nullable(),
    address: z.string().nullable(),
    result: z.string(),
    requestId: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
    /** Position in the company's hash chain; 0 for entries from before the chain existed. */
    seq: z.number().int(),
    /** Number of entries of the same request, including this one: a bulk change is one group. */
    related: z.number().int(),
  })
  .meta({ id: 'OperationLogEntry' });

export const listOperationLog = route({
  method: 'GET',
  path: '/api/f/notification/operationLog/list',
  summary: 'Who did what, newest first',
  permission: 'operationLog',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      at: moment,
      action: text(64),
      result: text(64),
      username: text(),
      objectName: orEmpty(text()),
      address: orEmpty(text(64)),
    }),
    objectId: z.string().max(128).optional(),
    requestId: z.string().max(64).optional(),
    /** Both inclusive; older spelling of `at.from` and `at.to`. */
    from: instant.optional(),
    to: instant.optional(),
    ...pageQuery,
    sort: sortBy(['at', 'username', 'action', 'objectName', 'result', 'address']),
  }),
  response: listOf(operationLogRecord),
  errors: [],
});
