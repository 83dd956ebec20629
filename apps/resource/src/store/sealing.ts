import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, inCompany, nilUuid, platform, uuidv7, type RowOf } from '@carillon/persistence';
import { FILES } from './file-driver.ts';
import { FileKeys } from './file-keys.ts';
import type { SealedFiles } from './sealed-files.ts';
import { StoredFile } from './stored-file.entity.ts';

const log = createLogger('sealing');
/** Files sealed per batch. */
const atOnce = 1_000;
const plain = columns(StoredFile, 's', ['id', 'companyId', 'sha256']);

/**
 * Seals plain files that may contain secrets: configuration files of an earlier version, and those that share bytes
 * with another noun. The plain bytes stay for a while for current readers (`sweep.ts`).
 */
@Injectable()
export class Sealing {
  constructor(
    private readonly database: Database,
    @Inject(FILES) private readonly files: SealedFiles,
    private readonly keys: FileKeys,
  ) {}

  async work(): Promise<void> {
    // Files that cannot be sealed do not block later ones.
    for (let after: string | null = nilUuid; after !== null;) {
      const all = await this.plainAfter(after);
      for (const one of all) await this.seal(one);
      after = all.length === atOnce ? all.at(-1)!.id : null;
    }
  }

  private plainAfter(id: string): Promise<RowOf<typeof plain>[]> {
    return platform(this.database, 'find files that lie plainly and may hold secrets', () =>
      currentSql().rows(
        plain,
        `
          select ${plain}
          from stored_file s
          where s.id > $1 and s.id in (
            select (f ->> 'id')::uuid from config_file c cross join jsonb_array_elements(c.files) f
            union
            select u.stored_id from upload u where u.noun = 'configFile' and u.stored_id is not null
          ) and not exists (select from file_key k where k.id = s.id)
          order by s.id
          limit ${atOnce}
        `,
        [id],
      ),
    );
  }

  private async seal({ id, companyId, sha256 }: RowOf<typeof plain>): Promise<void> {
    const key = { objectId: uuidv7(), key: randomBytes(32) };
    try {
      await this.files.seal(id, sha256, key);
      // Removes the bytes only if no key refers to them. After a lost commit response they stay: bytes without a key
      // are deleted with the strays.
      if (!(await inCompany(this.database, companyId, () => this.keys.keep(id, key.objectId, key.key))))
        await this.files.remove(key.objectId);
    } catch (err) {
      log.warn({ err, file: id }, 'a file could not be sealed and lies as it was');
    }
  }
}
