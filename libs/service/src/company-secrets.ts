import { createHmac, randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  afterCommit,
  columns,
  createdInstant,
  currentSql,
  preparedSql,
  tenant,
  tenantProperties,
  uuidv7,
} from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { seal, unseal } from './seal.ts';

/** Statements for the migration of a service that keeps secrets of companies. */
export const dataKeyDdl = [
  `create table "data_key" (
    "id" uuid not null, "company_id" uuid not null, "version" int not null, "wrapped" text not null,
    "created_at" timestamptz not null, primary key ("id"))`,
  'create unique index "data_key_version" on "data_key" ("company_id", "version")',
  'alter table "data_key" enable row level security',
  'alter table "data_key" force row level security',
  `create policy "data_key_company_policy" on "data_key"
    using ("company_id" = current_setting('app.company_id')::uuid)`,
] as const;

/**
 * The keys of a company in this service, each wrapped by the installation's key, which is in no database and no backup.
 */
export const DataKey = defineEntity({
  name: 'DataKey',
  tableName: 'data_key',
  indexes: [
    { name: 'data_key_version', expression: 'create unique index data_key_version on data_key (company_id, version)' },
  ],
  ...tenant(),
  properties: { ...tenantProperties, version: p.integer(), wrapped: p.text(), createdAt: createdInstant() },
});

const key = columns(DataKey, 'k', ['version', 'wrapped']);
/** Most unwrapped keys held; the least recently used are dropped first. */
const most = 1_000;
/** Longest time that a key is held: a destroyed key is forgotten by then. */
const heldMs = 600_000;

interface Unwrapped {
  version: number;
  bytes: Buffer;
}
/** Re-seals texts with the key that was the newest one when it was made. */
export interface Renewer {
  version: number;
  renew: (place: string, sealed: string) => Promise<string>;
}
const versionOf = (sealed: string): number => Number(sealed.slice(0, sealed.indexOf('.')));

/**
 * Encrypts secrets of the running context's company at rest, for example passwords of accounts. A ciphertext is bound
 * to its company and place (table, column and row): it cannot be decrypted in another row.
 *
 * ```ts
 * const sealed = await secrets.seal(`sip_account.auth_password ${id}`, password);
 * ```
 *
 * Both calls run in the transaction of their caller.
 */
export class CompanySecrets {
  private readonly held = new Map<string, { bytes: Buffer; until: number }>();
  private readonly installationKey: Buffer;

  constructor(installationKey: Buffer) {
    this.installationKey = installationKey;
  }

  /** Returns `version.ciphertext`, sealed with the company's newest key; creates the first key of a company. */
  async seal(place: string, text: string): Promise<string> {
    const { version, bytes } = (await this.newest()) ?? (await this.make());
    return `${version}.${seal(bytes, this.purpose(place), text)}`;
  }

  /** Returns a function that seals many texts and reads the key only once. */
  async sealer(): Promise<(place: string, text: string) => string> {
    const { version, bytes } = (await this.newest()) ?? (await this.make());
    const { companyId } = context();
    return (place, text) => `${version}.${seal(bytes, `${companyId} ${place}`, text)}`;
  }

  /** Decrypts a text. Throws when it was altered, belongs to another place, or its key is gone. */
  async open(place: string, sealed: string): Promise<string> {
    const bytes = await this.byVersion(versionOf(sealed));
    const text = bytes && unseal<string>(bytes, this.purpose(place), sealed.slice(sealed.indexOf('.') + 1));
    if (text === undefined) throw new Error(`the secret at ${place} cannot be opened`);
    return text;
  }

  /**
   * Returns what re-seals texts of older keys with the newest one, and leaves others unchanged. The nonce is derived
   * from the old text: equal ciphertexts stay equal, wherever and whenever each is re-sealed, so that code that
   * compares them still works.
   */
  async renewer(): Promise<Renewer> {
    const newest = await this.newest();
    const renew = async (place: string, sealed: string): Promise<string> => {
      if (!newest || versionOf(sealed) >= newest.version) return sealed;
      const text = await this.open(place, sealed);
      const purpose = this.purpose(place);
      const nonce = createHmac('sha256', newest.bytes).update(`renewed ${purpose} ${sealed}`).digest().subarray(0, 12);
      return `${newest.version}.${seal(newest.bytes, purpose, text, nonce)}`;
    };
    return { version: newest?.version ?? 0, renew };
  }

  /** Returns the version of the newest key; 0 before the first. */
  async newestVersion(): Promise<number> {
    return (await this.newest())?.version ?? 0;
  }

  /** Creates the company's next key, which seals from the commit on. Returns its version. */
  async makeNext(): Promise<number> {
    const version = (await this.newestVersion()) + 1;
    await this.insert(version);
    return version;
  }

  /** Destroys older keys for good: their ciphertexts can never be decrypted again. */
  async destroyBefore(version: number): Promise<void> {
    await currentSql().query('delete from data_key where version < $1', [version]);
    const { companyId } = context();
    afterCommit(() => {
      for (let old = 1; old < version; old++) this.held.delete(`${companyId} ${old}`);
    });
  }

  private purpose(place: string): string {
    return `${context().companyId} ${place}`;
  }

  private async newest(): Promise<Unwrapped | undefined> {
    const [row] = await preparedSql().rows(key, `select ${key} from data_key k order by k.version desc limit 1`);
    return row && { version: row.version, bytes: this.unwrap(row) };
  }

  private async byVersion(version: number): Promise<Buffer | undefined> {
    const held = this.held.get(`${context().companyId} ${version}`);
    if (held && held.until > Date.now()) return held.bytes;
    const [row] = await preparedSql().rows(key, `select ${key} from data_key k where k.version = $1`, [version]);
    return row && this.unwrap(row);
  }

  /** Creates the first key. If two transactions create it at once, one key stays, and both use it. */
  private async make(): Promise<Unwrapped> {
    await this.insert(1);
    const made = (await this.newest())!;
    // The transaction may roll back, and another one's key take the version.
    this.held.delete(`${context().companyId} ${made.version}`);
    return made;
  }

  private async insert(version: number): Promise<void> {
    const wrapped = seal(this.installationKey, this.wrapping(version), randomBytes(32).toString('base64url'));
    await currentSql().query(
      `
        insert into data_key (id, company_id, version, wrapped, created_at)
        values ($1, $2, $3, $4, now())
        on conflict (company_id, version) do nothing
      `,
      [uuidv7(), context().companyId, version, wrapped],
    );
  }

  private wrapping(version: number): string {
    return `data key ${context().companyId} ${version}`;
  }

  private unwrap({ version, wrapped }: { version: number; wrapped: string }): Buffer {
    const name = `${context().companyId} ${version}`;
    const text = unseal<string>(this.installationKey, this.wrapping(version), wrapped);
    if (text === undefined) throw new Error('the key of a company was wrapped by another installation');
    const bytes = Buffer.from(text, 'base64url');
    this.held.delete(name);
    this.held.set(name, { bytes, until: Date.now() + heldMs });
    if (this.held.size > most) this.held.delete(this.held.keys().next().value!);
    return bytes;
  }
}
