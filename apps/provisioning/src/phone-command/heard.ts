import { hear, lockSessions, type Contact } from '../phone-session/phone-session.queries.ts';
import { reportStarts, silentlyRestarted } from './phone-command.queries.ts';
import { judgeVersions, lockOpenFiles, takeUpgradeStart } from './phone-file.queries.ts';

/**
 * Keeps the session of a phone that has called a URL, and ends what this shows to be done. `started`: it says that it
 * has just started.
 */
export async function hearEvent(contact: Contact, started: boolean): Promise<void> {
  const { id } = contact;
  // Configurations are locked before sessions, and these before commands, as everywhere.
  const hasFile = await lockOpenFiles([id]);
  await lockSessions([id]);
  const known = started && (await takeUpgradeStart(id));
  const upgraded = hasFile ? await judgeVersions([contact], started) : new Set<string>();
  const restarted = started ? !known : upgraded.has(id);
  const sessions = await hear([contact], restarted);
  if (restarted) await reportStarts(sessions, upgraded);
}

/**
 * Keeps the sessions of phones that have asked for their files, and ends what this shows to be done. Its caller has
 * locked their configurations.
 */
export async function hearLoads(contacts: readonly Contact[]): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  await lockSessions(ids);
  const upgraded = await judgeVersions(contacts);
  const restarted = new Set([...upgraded, ...(await silentlyRestarted(ids))]);
  await hear(contacts.filter(({ id }) => !restarted.has(id)));
  await reportStarts(
    await hear(
      contacts.filter(({ id }) => restarted.has(id)),
      true,
    ),
    upgraded,
  );
}
