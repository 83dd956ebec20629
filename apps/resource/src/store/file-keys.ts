import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { columns, computed, currentSql, Database, inCompany, platform } from '@carillon/persistence';
import { CompanySecrets, type SealedTable } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { FileKey } from './file-key.entity.ts';

/** How a sealed file is read. */
export interface KeyOfFile {
  /** Where its bytes are. */
  objectId: string;
  /** Of AES-256. */
  key: Buffer;
  /** Of what is sealed; null until the file is whole. */
  sha256: string | null;
}

/** A file that lies plainly may be sealed by another process: so long it is believed to lie so. */
const plainMs = 60_000;
const mostKnown = 1_000;
const found = columns(FileKey, 'k', ['companyId', 'objectId', 'sealed'], {
  sha256: computed<string | null>('s.sha256'),
});
const kept = columns(FileKey, 'k', [], { n: computed<number>('1') });
const placeOf = (id: string): string => `file_key.sealed ${id}`;
/** What a new key of a company seals anew; the bytes of files stay as they are. */
export const sealedFileKeys: SealedTable = { table: 'file_key', texts: [{ column: 'sealed' }] };

/** The keys of sealed files: each random, and sealed itself by the key of its company. */
@Injectable()
export class FileKeys {
  private readonly known = new Map<string, { key: KeyOfFile | undefined; until: number }>();
  /** A file is read while its call's transaction runs, or has ended: its key is asked for in none of that. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly database: Database,
    private readonly secrets: CompanySecrets,
  ) {}

  /** Of a file that is about to come, in the transaction that makes its row. */
  async make(id: string): Promise<void> {
    await this.keep(id, id, randomBytes(32));
  }

  /** Where the bytes of a file are sealed, in a transaction of its company. False: another process has said so before. */
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

  /** Undefined: the file lies plainly. Throws when the key cannot be opened. */
  async of(id: string): Promise<KeyOfFile | undefined> {
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
    // One that is not whole yet will have a sum.
    if (key?.sha256 === null) return key;
    this.known.delete(id);
    this.known.set(id, { key, until: key ? Infinity : Date.now() + plainMs });
    if (this.known.size > mostKnown) this.known.delete(this.known.keys().next().value!);
    return key;
  }
}
