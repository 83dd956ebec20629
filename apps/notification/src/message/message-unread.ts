/** What devices told: alarms, and that a device could not be told on (spec, sections 2 and 3). The rest are messages. */
export const deviceTable = '(m.type >= 0 or m.type = -3)';

/** Whether a message `m` is unread to a user. */
export const unread = (user: string): string =>
  `not exists (select 1 from message_read r where r.message_id = m.id and r.user_id = ${user})`;
