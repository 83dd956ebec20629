/**
 * SQL: messages about devices: alarms, and devices that could not be synced (NOTE-02). The rest are
 * messages.
 */
export const deviceTable = '(m.type >= 0 or m.type = -3)';

/** SQL: whether a user has not read a message `m` whose cause still lasts. */
export const unread = (user: string): string =>
  `m.ended_at is null and not exists (select 1 from message_read r where r.message_id = m.id and r.user_id = ${user})`;
