import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';

/**
 * That somebody did something, at most once a minute and session (AUTH-08). The API gateways read each other's, auth
 * stores them; kept longer than the idle limit, so that a gateway that starts knows who is idle.
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
