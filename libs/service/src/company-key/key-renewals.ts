import type { CompanyKeyRoutes, RouteReturn } from '@carillon/contracts';
import {
  afterCommit,
  columns,
  computed,
  currentSql,
  inCompany,
  nilUuid,
  type Database,
  type RowOf,
} from '@carillon/persistence';
import { seesAll } from '@carillon/tenancy';
import { emitAudit } from '../audit.ts';
import { DataKey, type CompanySecrets } from '../company-secrets.ts';
import { fail } from '../failure.ts';
import { WorkLoop } from '../work-loop.ts';
import { KeyRenewal, orderRenewal } from './key-renewal.entity.ts';
import { countOld, renewTexts, type SealedTable } from './sealed-table.ts';

type CompanyKey = RouteReturn<CompanyKeyRoutes['get']>;

/** Companies at once, and rows per transaction: these bound how long a row is locked. */
const companiesAtOnce = 2;
const rowsAtOnce = 200;

const order = columns(KeyRenewal, 'r', ['id', 'companyId', 'runner']);
type Order = RowOf<typeof order>;
const held = columns(KeyRenewal, 'r', ['id', 'version', 'place', 'after', 'done', 'failed', 'emptiedAt'], {
  /**
   * All transactions that read or sealed with the old key have ended, so their rows are visible now. Other database
   * roles (a backup) write nothing, and their start times are hidden.
   */
  over: computed<boolean>(`
    r.emptied_at < now() - make_interval(secs => $3) and not exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start <= r.emptied_at
    )
  `),
});
type Held = RowOf<typeof held>;
const newest = columns(DataKey, 'k', ['createdAt']);
const shown = columns(KeyRenewal, 'r', ['startedAt', 'endedAt', 'emptiedAt', 'done', 'total', 'failed']);

export interface KeyOptions {
  /** Prefix of the audit words. */
  name: string;
  tables: readonly SealedTable[];
  tickMs: number;
  leaseSeconds: number;
  graceSeconds: number;
}

/**
 * Renews company keys: creates a key, re-encrypts row by row what older keys have sealed, and destroys those when
 * nothing needs them any more. Everything stays readable meanwhile, because each ciphertext names its key. A company is
 * claimed with a lease, and each step commits its progress: after a crash another process continues there.
 */
export class KeyRenewals extends WorkLoop<Order> {
  constructor(
    database: Database,
    private readonly secrets: CompanySecrets,
    private readonly options: KeyOptions,
  ) {
    super(database, { reason: 'new keys of companies', tickMs: options.tickMs, atOnce: companiesAtOnce });
  }

  async companyKey(): Promise<CompanyKey> {
    const [key] = await currentSql().rows(newest, `select ${newest} from data_key k order by k.version desc limit 1`);
    const [renewal] = await currentSql().rows(shown, `select ${shown} from key_renewal r`);
    if (!renewal) return { madeAt: key?.createdAt ?? null, renewal: null };
    const { startedAt, endedAt, emptiedAt, done, total, failed } = renewal;
    const status = endedAt === null ? (emptiedAt === null ? 'process' : 'waiting') : failed > 0 ? 'partly' : 'done';
    return { madeAt: key?.createdAt ?? null, renewal: { status, startedAt, endedAt, done, total, failed } };
  }

  async renew(): Promise<CompanyKey> {
    if (!seesAll()) fail('companyKey.narrowed');
    if ((await this.secrets.newestVersion()) === 0) fail('companyKey.none');
    if (await orderRenewal()) afterCommit(() => this.wake());
    return this.companyKey();
  }

  protected override claim(): Promise<Order[]> {
    return currentSql().rows(
      order,
      `
        update key_renewal r
        set runner = gen_random_uuid(), lease_until = now() + make_interval(secs => $1)
        where r.id in (
          select id
          from key_renewal
          where ended_at is null and lease_until <= now()
          order by started_at
          limit ${companiesAtOnce}
          for update skip locked
        )
        returning ${order}
      `,
      [this.options.leaseSeconds],
    );
  }

  protected override async perform(one: Order): Promise<void> {
    for (let more = true; more;) more = await inCompany(this.database, one.companyId, () => this.step(one));
  }

  /** Returns false when there is nothing to do for now. */
  private async step({ id, runner }: Order): Promise<boolean> {
    const [at] = await currentSql().rows(
      held,
      `select ${held} from key_renewal r where r.id = $1 and r.runner = $2 and r.ended_at is null for update`,
      [id, runner, this.options.graceSeconds],
    );
    if (!at) return false;
    if (this.closed) return this.leave(id);
    const { version } = at;
    if (version === null) return this.begin(id);
    return at.place < this.tables.length ? this.goOn(at, version) : this.end(at, version);
  }

  private get tables(): readonly SealedTable[] {
    return this.options.tables;
  }

  private async begin(id: string): Promise<boolean> {
    const version = await this.secrets.makeNext();
    await this.keep(id, 'version = $2, total = $3', [version, await countOld(this.tables, version)]);
    return true;
  }

  private async goOn({ id, place, after }: Held, version: number): Promise<boolean> {
    const { last, done, failed } = await renewTexts(this.secrets, this.tables[place]!, version, {
      after,
      limit: rowsAtOnce,
    });
    await this.keep(
      id,
      'place = $2, after = $3, done = r.done + $4, total = greatest(r.total, r.done + $4), failed = r.failed + $5',
      [last === null ? place + 1 : place, last ?? nilUuid, done, failed],
    );
    return true;
  }

  /** Ends a pass through all tables. Rows that were written or locked meanwhile need another pass. */
  private async end({ id, done, failed, emptiedAt, over }: Held, version: number): Promise<boolean> {
    if (emptiedAt !== null && !over) return this.leave(id, 1);
    const left = await countOld(this.tables, version);
    if (left > failed) {
      await this.keep(id, `place = 0, after = '${nilUuid}', failed = 0, emptied_at = null, total = $2`, [done + left]);
      return this.leave(id);
    }
    if (left === 0 && emptiedAt === null) {
      await this.keep(id, 'failed = 0, emptied_at = clock_timestamp()');
      return this.leave(id, this.options.graceSeconds);
    }
    // Undecryptable texts may be repaired from a backup as long as their key exists.
    if (left === 0) await this.secrets.destroyBefore(version);
    await this.keep(id, 'ended_at = now(), failed = $2', [left]);
    await emitAudit(`${this.options.name}.renewed`, 'success', {
      detail: { sealed: done, ...(left > 0 ? { unopened: left } : {}) },
    });
    return false;
  }

  /** Stores the progress and extends the lease. */
  private async keep(id: string, change: string, values: readonly unknown[] = []): Promise<void> {
    await currentSql().query(
      `
        update key_renewal r
        set ${change}, lease_until = now() + make_interval(secs => ${this.options.leaseSeconds})
        where r.id = $1
      `,
      [id, ...values],
    );
  }

  /** Releases the company for the next process, after `seconds`. */
  private async leave(id: string, seconds = 0): Promise<false> {
    await currentSql().query(
      'update key_renewal set runner = null, lease_until = now() + make_interval(secs => $2) where id = $1',
      [id, seconds],
    );
    return false;
  }
}
