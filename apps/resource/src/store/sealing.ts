import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, inCompany, nilUuid, platform, uuidv7, type RowOf } from '@carillon/persistence';
import { FILES } from './file-driver.ts';
import { FileKeys } from './file-keys.ts';
import type { SealedFiles } from './sealed-files.ts';
import { StoredFile } from './stored-file.entity.ts';

const log = createLogger('sealing');
/** So many are sealed each time that it looks. */
const atOnce = 1_000;
const plain = columns(StoredFile, 's', ['id', 'companyId', 'sha256']);

/**
 * Seals what lies plainly and may hold secrets: configuration files of a version before, and those that share the bytes
 * of a file of another kind. The plain bytes stay for a while, for who reads them now (`sweep.ts`).
 */
@Injectable()
export class Sealing {
  constructor(
    private readonly database: Database,
    @Inject(FILES) private readonly files: SealedFiles,
    private readonly keys: FileKeys,
  ) {}

  async work(): Promise<void> {
    // Those that cannot be sealed stay, and hold up none behind them.
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
      // Only who knows that no key names the bytes removes them. Where the answer to a commit was lost they stay: those
      // without a key go with the strays.
      if (!(await inCompany(this.database, companyId, () => this.keys.keep(id, key.objectId, key.key))))
        await this.files.remove(key.objectId);
    } catch (err) {
      log.warn({ err, file: id }, 'a file could not be sealed and lies as it was');
    }
  }
}
