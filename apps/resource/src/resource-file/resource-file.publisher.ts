import { Injectable } from '@nestjs/common';
import { resourceFileState } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql, Database, type RowOf } from '@carillon/persistence';
import { WorkLoop } from '@carillon/service';
import { ResourceFile } from './resource-file.entity.ts';

const published = columns(ResourceFile, 'r', ['id', 'companyId', 'name', 'type', 'files', 'revision']);
const atOnce = 200;
/** A process of the previous version may still add some for a while. */
const againMs = 3_600_000;

/** Publishes resource files, including those from before they were published. */
@Injectable()
export class ResourceFilePublisher extends WorkLoop<string> {
  constructor(database: Database) {
    super(database, { reason: 'tell of resource files that nobody knows', tickMs: againMs, atOnce });
  }

  async changed(ids: readonly string[]): Promise<void> {
    await publishFiles(
      await currentSql().rows(published, `select ${published} from resource_file r where r.id = any ($1)`, [[...ids]]),
    );
  }

  async gone({ id, companyId, revision }: Pick<ResourceFile, 'id' | 'companyId' | 'revision'>): Promise<void> {
    await emitMany(resourceFileState, 'resourceFile', [{ key: id, data: null, version: revision + 1, companyId }]);
  }

  protected async claim(): Promise<readonly string[]> {
    const rows = await currentSql().rows(
      published,
      `
        update resource_file r set revision = 1
        where r.id in (
          select id from resource_file where revision = 0 order by id limit $1 for update skip locked
        )
        returning ${published}
      `,
      [atOnce],
    );
    await publishFiles(rows);
    return rows.map(({ id }) => id);
  }

  /** It was published with its claim. */
  protected perform(): Promise<void> {
    return Promise.resolve();
  }
}

const publishFiles = (rows: readonly RowOf<typeof published>[]): Promise<void> =>
  emitMany(
    resourceFileState,
    'resourceFile',
    rows.map(({ companyId, revision, files, ...row }) => ({
      key: row.id,
      companyId,
      version: revision,
      data: {
        ...row,
        files: files.map(({ id, name, size, sha256 }) => ({ fileId: id, fileName: name, size, sha256 })),
      },
    })),
  );
