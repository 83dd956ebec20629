import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { linkReport } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { Database, inCompany, preparedSql } from '@carillon/persistence';
import { hearLoads } from '../phone-command/heard.ts';
import { endLoads } from '../phone-command/phone-command.queries.ts';
import { lockFiles } from '../phone-command/phone-file.queries.ts';
import type { Contact } from '../phone-session/phone-session.queries.ts';
import type { LoadingDevice } from './device-config.queries.ts';

const log = createLogger('config-loads');

/** Most loads that one transaction stores. */
const mostAtOnce = 500;

type Loaded = Pick<LoadingDevice, 'id' | 'companyId' | 'mac' | 'ownerEpoch' | 'version' | 'reported'> & {
  contact: Contact | undefined;
};

/**
 * Stores that devices have loaded their files, those of a company together: a transaction for each would take as long
 * as the file itself when all phones of a site start at once.
 */
@Injectable()
export class LoadNotes implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Map<string, Loaded>>();
  private running: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** Notes a load. A device that has loaded this version within a minute, and has no command, costs no statement. */
  note(one: LoadingDevice, contact: Contact | undefined): void {
    const { companyId, id, version, loadedVersion, isOld } = one;
    if (version === null || (loadedVersion === version && !isOld)) return;
    const ofCompany = this.waiting.get(companyId) ?? new Map<string, Loaded>();
    this.waiting.set(companyId, ofCompany.set(id, { ...one, contact }));
    this.running ??= this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    for (let first = this.waiting.entries().next(); !first.done; first = this.waiting.entries().next()) {
      const [companyId, devices] = first.value;
      const some = [...devices.values()].slice(0, mostAtOnce);
      for (const { id } of some) devices.delete(id);
      this.waiting.delete(companyId);
      // The other companies are next.
      if (devices.size > 0) this.waiting.set(companyId, devices);
      try {
        await inCompany(this.database, companyId, () => store(some));
      } catch (err) {
        log.warn({ err, lost: some.length }, 'loads of configurations were not stored; the next loads will be');
      }
    }
    this.running = undefined;
  }
}

/** Stores loads, and reports each version that the device is not known to have, as a device on the link does itself. */
async function store(loads: readonly Loaded[]): Promise<void> {
  // Configurations are locked before sessions, and these before commands, as everywhere.
  await lockFiles(loads.map(({ id }) => id));
  const { rows } = await preparedSql().query<{ id: string }>(
    `
      with due as (
        select c.id, x.version
        from jsonb_to_recordset($1::jsonb) as x(id uuid, version text)
        join device_config c on c.id = x.id
        -- Another load may have been stored since this one was read.
        where c.loaded_version is distinct from x.version or c.loaded_at < now() - interval '1 minute'
        order by c.id
        for update of c
      )
      update device_config c
      set loaded_at = now(), loaded_version = due.version
      from due
      where c.id = due.id
      returning c.id
    `,
    [JSON.stringify(loads.map(({ id, version }) => ({ id, version })))],
  );
  await storeContacts(loads);
  const stored = new Set(rows.map(({ id }) => id));
  const now = Date.now();
  await emitMany(
    linkReport,
    'state',
    loads
      .filter(({ id, version, reported }) => stored.has(id) && reported !== version)
      .map(({ id, companyId, mac, ownerEpoch, version }) => ({
        key: id,
        companyId,
        data: {
          deviceId: id,
          mac,
          ownerEpoch,
          epoch: 0,
          receivedAt: now,
          payload: { at: now, configVersion: version! },
        },
      })),
  );
}

/** Keeps the sessions of phones, and ends what their loads show to be done. */
async function storeContacts(loads: readonly Loaded[]): Promise<void> {
  const contacts = loads.flatMap(({ contact }) => contact ?? []);
  if (contacts.length === 0) return;
  await hearLoads(contacts);
  await endLoads(loads);
}
