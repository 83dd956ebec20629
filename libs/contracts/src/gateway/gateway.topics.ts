import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';

/**
 * Activity of a session, at most one message a minute (AUTH-08). The API gateways read each other's messages, auth
 * stores them; kept longer than the idle limit, so that a starting gateway knows which sessions are idle.
 */
export const gatewayActivity = topic({
  name: 'gateway.activity.v1',
  writers: ['gateway'],
  readers: ['auth', 'gateway'],
  key: 'session id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 2 * 3_600_000,
  events: { active: z.object({ sessionId: id, at: z.number() }) },
});
