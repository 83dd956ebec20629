import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, currentEntities, currentSql, Database, inCompany, uuidv7, type RowOf } from '@carillon/persistence';
import { CompanySecrets, CONFIG, emitAudit, emitLive, Failure, Outbound, WorkLoop } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { storeEntries, type Stored } from '../ldap-account/ldap-account.queries.ts';
import { ldapPorts, nameSupervisors, withDirectory, type DirectorySettings, type ReadEntry } from './directory.ts';
import { LdapServer, LdapSync, passwordPlace } from './ldap-server.entity.ts';
import { nextSync } from './next-sync.ts';

const log = createLogger('ldap');
const atOnce = 2;
const pageSize = 500;
const mostEntries = 100_000;
const mostAttempts = 3;
const mostMs = 15 * 60_000;
const mostBytes = 256 * 1_048_576;

const sync = columns(LdapSync, 'y', ['id', 'companyId', 'serverId', 'byHand', 'attempts', 'runner']);
type Sync = RowOf<typeof sync>;
const due = columns(LdapServer, 's', ['id', 'companyId', 'cycle', 'time', 'weekday', 'timeZone']);

/** Thrown when another process has taken the sync over, or the server is deleted. */
class Lost extends Error {}

/**
 * Reads directories, by hand and by their schedules. A lease ensures that one process reads a server. When it dies,
 * another one starts again and writes only what is not written yet.
 */
@Injectable()
export class LdapSyncLoop extends WorkLoop<Sync> {
  private readonly outbound: Outbound;
  private readonly leaseSeconds: number;

  constructor(
    database: Database,
    private readonly secrets: CompanySecrets,
    @Inject(CONFIG) config: ProvisioningConfig,
  ) {
    super(database, { reason: 'syncs of LDAP servers, of all companies', tickMs: config.ldapTickMs, atOnce });
    this.outbound = new Outbound(config, ldapPorts);
    this.leaseSeconds = config.ldapLeaseSeconds;
  }

  /** Schedules syncs for now, unless they are waiting or running already. */
  async order(servers: readonly { id: string; companyId: string }[], byHand: boolean): Promise<void> {
    for (const { id, companyId } of servers)
      await currentSql().query(
        `
          insert into ldap_sync as y (
            id, company_id, server_id, status, by_hand, attempts, lease_until, started_at, read, added, changed,
            removed, error_values
          )
          values ($1, $2, $3, 'wait', $4, 0, now(), now(), 0, 0, 0, 0, '{}')
          on conflict (server_id) do update set
            id = excluded.id, status = 'wait', by_hand = excluded.by_hand, attempts = 0, runner = null,
            lease_until = now(), started_at = now(), ended_at = null, read = 0, added = 0, changed = 0, removed = 0,
            error = null, error_values = '{}'
          where y.ended_at is not null
        `,
        [uuidv7(), companyId, id, byHand],
      );
  }

  protected override async claim(): Promise<Sync[]> {
    await this.orderDue();
    return currentSql().rows(
      sync,
      `
        update ldap_sync y
        set
          status = 'process', attempts = y.attempts + 1, runner = gen_random_uuid(), read = 0,
          lease_until = now() + make_interval(secs => $1)
        where y.id in (
          select id
          from ldap_sync
          where ended_at is null and lease_until <= now()
          order by started_at
          limit ${atOnce}
          for update skip locked
        )
        returning ${sync}
      `,
      [this.leaseSeconds],
    );
  }

  private async orderDue(): Promise<void> {
    const servers = await currentSql().rows(
      due,
      `
        select ${due}
        from ldap_server s
        where s.next_sync_at <= now()
        order by s.next_sync_at
        limit 100
        for update skip locked
      `,
    );
    for (const server of servers) {
      const next = nextSync(server, Date.now());
      await currentSql().query('update ldap_server set next_sync_at = $2 where id = $1', [
        server.id,
        next === null ? null : new Date(next).toISOString(),
      ]);
    }
    await this.order(servers, false);
  }

  protected override async perform(order: Sync): Promise<void> {
    try {
      if (order.attempts > mostAttempts) throw new Failure('ldapServer.interrupted');
      const settings = await this.inCompany(order, () => this.settings(order.serverId));
      const entries = await this.read(order, settings);
      await this.inCompany(order, async () => {
        const stored = await storeEntries(order.serverId, entries);
        await this.hold(
          order,
          `status = 'success', ended_at = now(), read = $3, added = $4, changed = $5, removed = $6`,
          [entries.length, stored.added, stored.changed, stored.removed],
        );
        await this.logSync(order, 'success', stored);
        if (stored.added + stored.changed + stored.removed + stored.missing > 0)
          await emitLive(order.companyId, 'ldapAccount', [order.serverId], null);
      });
    } catch (error) {
      if (error instanceof Lost || this.closed) return;
      await this.failed(order, error);
    }
  }

  private async failed(order: Sync, error: unknown): Promise<void> {
    const failure = error instanceof Failure ? error : undefined;
    // Other errors are internal: the lease expires, and the sync is retried.
    if (!failure) {
      log.warn({ err: error, serverId: order.serverId }, 'a sync of an LDAP server could not be done; it waits');
      return;
    }
    await this.inCompany(order, async () => {
      await this.hold(order, `status = 'fail', ended_at = now(), error = $3, error_values = $4`, [
        failure.key,
        JSON.stringify(failure.values),
      ]);
      await this.logSync(order, failure.key);
    }).catch((err: unknown) => {
      if (!(err instanceof Lost)) throw err;
    });
  }

  private async settings(serverId: string): Promise<DirectorySettings> {
    const server = await currentEntities().findOne(LdapServer, serverId);
    if (!server) throw new Lost();
    if (!server.enabled) throw new Failure('ldapServer.disabled');
    if (server.password === null) throw new Failure('ldapServer.passwordEmpty');
    const { host, port, security, checkCertificate, ca, userName, base, filter, attributes } = server;
    const password = await this.secrets.open(passwordPlace(serverId), server.password);
    return { host, port, security, checkCertificate, ca, userName, base, filter, attributes, password };
  }

  /** Reads all entries before any is written: half a directory would look like one whose other entries were deleted. */
  private async read(order: Sync, settings: DirectorySettings): Promise<ReadEntry[]> {
    const entries = new Map<string, ReadEntry>();
    const heartbeat = setInterval(() => {
      void this.inCompany(order, () => this.hold(order)).catch(() => undefined);
    }, this.leaseSeconds * 300).unref();
    try {
      await withDirectory(this.outbound, settings, { withinMs: mostMs, bytes: mostBytes }, async (directory) => {
        for await (const page of directory.pages(pageSize)) {
          if (this.closed) throw new Lost();
          for (const entry of page) entries.set(entry.entry, entry);
          if (entries.size > mostEntries) throw new Failure('ldapServer.tooMany', { most: mostEntries });
          await this.inCompany(order, async () => {
            await this.hold(order, 'read = $3', [entries.size]);
            await emitLive(order.companyId, 'ldapServer', [order.serverId], null);
          });
        }
      });
    } finally {
      clearInterval(heartbeat);
    }
    const all = [...entries.values()];
    nameSupervisors(all);
    return all;
  }

  private inCompany<T>({ companyId }: Sync, work: () => Promise<T>): Promise<T> {
    return inCompany(this.database, companyId, work);
  }

  /** Extends the lease of this runner. Throws when it has lost the sync. */
  private async hold(order: Sync, change?: string, values: unknown[] = []): Promise<void> {
    const { rowCount } = await currentSql().query(
      `
        update ldap_sync
        set ${change === undefined ? '' : `${change},`}
          lease_until = now() + make_interval(secs => ${this.leaseSeconds})
        where id = $1 and runner = $2 and ended_at is null
      `,
      [order.id, order.runner, ...values],
    );
    if (rowCount === 0) throw new Lost();
  }

  /** Logs a sync that changed something, was started by a user or failed. */
  private async logSync(order: Sync, result: string, stored?: Stored): Promise<void> {
    const server = await currentEntities().findOne(LdapServer, order.serverId, { fields: ['name'] });
    const changes = stored ? stored.added + stored.changed + stored.removed + stored.missing : 0;
    if (order.byHand || changes > 0 || result !== 'success')
      await emitAudit('ldapServer.synced', result, {
        objectId: order.serverId,
        objectName: server?.name ?? '',
        detail: { ...stored },
      });
    await emitLive(order.companyId, 'ldapServer', [order.serverId], null);
  }
}
