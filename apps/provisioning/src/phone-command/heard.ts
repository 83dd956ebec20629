import { hear, lockSessions, type Contact } from '../phone-session/phone-session.queries.ts';
import { reportStarts, silentlyRestarted } from './phone-command.queries.ts';
import { judgeVersions, justUpgraded, lockOpenFiles } from './phone-file.queries.ts';

/**
 * Keeps the sessions of phones that were heard, and ends what their requests show to be done. `started`: they say that
 * they have just started.
 */
export async function hearPhones(contacts: readonly Contact[], started: boolean): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  if (ids.length === 0) return;
  // Configurations are locked before sessions, and these before commands, as everywhere.
  await lockOpenFiles(ids);
  await lockSessions(ids);
  const known = started ? await justUpgraded(ids) : new Set<string>();
  const upgraded = await judgeVersions(contacts);
  const restarted = new Set(
    started ? ids.filter((id) => !known.has(id)) : [...upgraded, ...(await silentlyRestarted(ids))],
  );
  await hear(contacts.filter(({ id }) => !restarted.has(id)));
  await reportStarts(
    await hear(
      contacts.filter(({ id }) => restarted.has(id)),
      true,
    ),
    upgraded,
  );
}
