import { z } from 'zod';
import { route } from '../define/route.ts';

/**
 * Streams `event: changed` with data `{ kind, ids }` of `live.v1`, at most two a second per kind. The stream ends with
 * `event: session` and data `{ state: "ended" | "locked" }` when the session ends or is locked.
 */
export const streamLive = route({
  method: 'GET',
  path: '/api/f/gateway/live',
  summary: 'What changes in the company, as server-sent events',
  permission: 'session',
  visitors: true,
  audit: 'none',
  stream: true,
  passive: true,
  response: z.object({ kind: z.string(), ids: z.union([z.array(z.string()), z.literal('many')]) }),
  errors: [],
});
