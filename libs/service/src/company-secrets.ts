import { randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { columns, createdInstant, currentSql, tenant, tenantProperties, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { seal, unseal } from './seal.ts';

/** For the migration of a service that keeps secrets of companies. */
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

/** The keys of a company in this service, each wrapped by the installation's, which is in no database and no backup. */
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
/** So many unwrapped keys are held; the ones that were used longest ago go first. */
const most = 1_000;

/**
 * Secrets of the running context's company at rest: passwords of accounts and the like. A ciphertext is bound to its
 * company and its place (table, column and row): moved to another row it opens nowhere.
 *
 * ```ts
 * const sealed = await secrets.seal(`sip_account.auth_password ${id}`, password);
 * ```
 *
 * Both calls run in the transaction of the call that they serve.
 */
export class CompanySecrets {
  private readonly held = new Map<string, Buffer>();
  private readonly installationKey: Buffer;

  constructor(installationKey: Buffer) {
    this.installationKey = installationKey;
  }

  /** `version.ciphertext`, with the company's newest key; the first call of a company makes it. */
  async seal(place: string, text: string): Promise<string> {
    const { version, bytes } = (await this.newest()) ?? (await this.make());
    return `${version}.${seal(bytes, this.purpose(place), text)}`;
  }

  /** The same for many at once: the key is asked for once. */
  async sealer(): Promise<(place: string, text: string) => string> {
    const { version, bytes } = (await this.newest()) ?? (await this.make());
    const { companyId } = context();
    return (place, text) => `${version}.${seal(bytes, `${companyId} ${place}`, text)}`;
  }

  /** Throws when the ciphertext was altered, belongs to another place, or its key is gone. */
  async open(place: string, sealed: string): Promise<string> {
    const dot = sealed.indexOf('.');
    const bytes = await this.byVersion(Number(sealed.slice(0, dot)));
    const text = bytes && unseal<string>(bytes, this.purpose(place), sealed.slice(dot + 1));
    if (text === undefined) throw new Error(`the secret at ${place} cannot be opened`);
    return text;
  }

  private purpose(place: string): string {
    return `${context().companyId} ${place}`;
  }

  private async newest(): Promise<{ version: number; bytes: Buffer } | undefined> {
    const [row] = await currentSql().rows(key, `select ${key} from data_key k order by k.version desc limit 1`);
    return row && { version: row.version, bytes: this.unwrap(row) };
  }

  private async byVersion(version: number): Promise<Buffer | undefined> {
    const held = this.held.get(`${context().companyId} ${version}`);
    if (held) return held;
    const [row] = await currentSql().rows(key, `select ${key} from data_key k where k.version = $1`, [version]);
    return row && this.unwrap(row);
  }

  /** Of two that make the first key at once, one stays, and both use it. */
  private async make(): Promise<{ version: number; bytes: Buffer }> {
    const { companyId } = context();
    const wrapped = seal(this.installationKey, this.wrapping(1), randomBytes(32).toString('base64url'));
    await currentSql().query(
      `
        insert into data_key (id, company_id, version, wrapped, created_at)
        values ($1, $2, 1, $3, now())
        on conflict (company_id, version) do nothing
      `,
      [uuidv7(), companyId, wrapped],
    );
    return (await this.newest())!;
  }

  private wrapping(version: number): string {
    return `data key ${context().companyId} ${version}`;
  }

  private unwrap({ version, wrapped }: { version: number; wrapped: string }): Buffer {
    const name = `${context().companyId} ${version}`;
    const text = unseal<string>(this.installationKey, this.wrapping(version), wrapped);
    if (text === undefined) throw new Error('the key of a company was wrapped by another installation');
    const bytes = this.held.get(name) ?? Buffer.from(text, 'base64url');
    this.held.delete(name);
    this.held.set(name, bytes);
    if (this.held.size > most) this.held.delete(this.held.keys().next().value!);
    return bytes;
  }
}
