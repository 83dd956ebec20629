import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { columns, computed, currentSql, Database, inCompany, platform } from '@carillon/persistence';
import { CompanySecrets, type SealedTable } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { FileKey } from './file-key.entity.ts';

/** How to read a sealed file. */
export interface KeyOfFile {
  /** Key of its bytes in the store. */
  objectId: string;
  /** AES-256 key. */
  key: Buffer;
  /** Checksum of the plain content; null until the file is complete. */
  sha256: string | null;
}

/** How long a file is assumed to be plain, because another process may seal it. */
const plainMs = 60_000;
const mostKnown = 1_000;
const found = columns(FileKey, 'k', ['companyId', 'objectId', 'sealed'], {
  sha256: computed<string | null>('s.sha256'),
});
const kept = columns(FileKey, 'k', [], { n: computed<number>('1') });
const placeOf = (id: string): string => `file_key.sealed ${id}`;
/** What a new company key re-encrypts: only the keys of files, not their bytes. */
export const sealedFileKeys: SealedTable = { table: 'file_key', texts: [{ column: 'sealed' }] };

/** The keys of sealed files: each is random and sealed with the key of its company. */
@Injectable()
export class FileKeys {
  private readonly known = new Map<string, { key: KeyOfFile | undefined; until: number }>();
  /** Loads keys outside of the caller's transaction, during or after which a file is read. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly database: Database,
    private readonly secrets: CompanySecrets,
  ) {}

  /** Creates the key of a new file, in the transaction of its row. */
  async make(id: string): Promise<void> {
    await this.keep(id, id, randomBytes(32));
  }

  /**
   * Stores where the sealed bytes of a file are, in a transaction of its company. Returns false when another process
   * was faster.
   */
  async keep(id: string, objectId: string, key: Buffer): Promise<boolean> {
    const sealed = await this.secrets.seal(placeOf(id), key.toString('base64url'));
    const rows = await currentSql().rows(
      kept,
      `
        insert into file_key as k (id, company_id, object_id, sealed, made_at)
        values ($1, $2, $3, $4, now())
        on conflict (id) do nothing
        returning ${kept}
      `,
      [id, context().companyId, objectId, sealed],
    );
    this.known.delete(id);
    return rows.length > 0;
  }

  /** Returns the key of a file; undefined when it is stored plainly. Throws when the key cannot be decrypted. */
  async keyOf(id: string): Promise<KeyOfFile | undefined> {
    const known = this.known.get(id);
    if (known && known.until > Date.now()) return known.key;
    return this.outside(() => this.find(id));
  }

  private async find(id: string): Promise<KeyOfFile | undefined> {
    const [row] = await platform(this.database, 'the key of a file', () =>
      currentSql().rows(
        found,
        `select ${found} from file_key k left join stored_file s on s.id = k.id where k.id = $1`,
        [id],
      ),
    );
    const key = row && {
      objectId: row.objectId,
      key: Buffer.from(
        await inCompany(this.database, row.companyId, () => this.secrets.open(placeOf(id), row.sealed)),
        'base64url',
      ),
      sha256: row.sha256,
    };
    // Not cached: an incomplete file gets its checksum later.
    if (key?.sha256 === null) return key;
    this.known.delete(id);
    this.known.set(id, { key, until: key ? Infinity : Date.now() + plainMs });
    if (this.known.size > mostKnown) this.known.delete(this.known.keys().next().value!);
    return key;
  }
}
