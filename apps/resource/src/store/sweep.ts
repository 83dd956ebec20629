import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, computed, currentSql, Database, platform } from '@carillon/persistence';
import { CONFIG, Retention } from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import { Upload } from '../upload/upload.entity.ts';
import { FILES, type FileDriver } from './file-driver.ts';
import { Sealing } from './sealing.ts';

const log = createLogger('sweep');
/** Longer than the time between a row and its bytes, and than a deletion can be undone. */
const graceSeconds = 3_600;
/** Longer than any link of a task is valid: a task lasts a week at most. */
const linkDays = 30;
const known = columns(Upload, 'u', [], { id: computed<string>('k.id') });

/**
 * Deletes what is no longer needed: uploads that were not completed or saved in time, bytes that no record has and no
 * device loads, ended downloads, files without a row from a crash, and the plain bytes of sealed files.
 */
@Injectable()
export class Sweep extends Retention {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { sweepMs }: ResourceConfig,
    @Inject(FILES) private readonly files: FileDriver,
    private readonly sealing: Sealing,
  ) {
    super(database, {
      reason: 'forget uploads and files that nobody needs',
      everyMs: sweepMs,
      forget: async () => {
        const uploads = await currentSql().query(
          'delete from upload where expires_at < now() and (writer is null or writing_until < now())',
        );
        const stored = await currentSql().query(
          `
            delete from stored_file s
            where s.used_at < now() - make_interval(secs => $1)
              and not exists (select from upload u where u.stored_id = s.id)
              and not exists (select from firmware f where f.files @> jsonb_build_array(jsonb_build_object('id', s.id)))
              and not exists (
                select from official_firmware o
                where o.files @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (
                select from firmware f where f.deltas @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (
                select from official_firmware o
                where o.deltas @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (
                select from resource_file r
                where r.files @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (
                select from config_file c
                where c.files @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (
                select from deleted d
                where d.row -> 'files' @> jsonb_build_array(jsonb_build_object('id', s.id))
                  or d.row -> 'deltas' @> jsonb_build_array(jsonb_build_object('id', s.id))
              )
              and not exists (select from download w where w.file_id = s.id and w.until > now())
          `,
          [graceSeconds],
        );
        const downloads = await currentSql().query('delete from download where until < now()');
        const tasks = await currentSql().query(
          'delete from task_file_copy where ended_at < now() - make_interval(days => $1)',
          [linkDays],
        );
        const fileKeys = await currentSql().query(
          `
            delete from file_key k
            where k.made_at < now() - make_interval(secs => $1)
              and not exists (select from stored_file s where s.id = k.id)
              and not exists (select from upload u where u.id = k.id)
          `,
          [graceSeconds],
        );
        return fileKeys.rowCount + uploads.rowCount + stored.rowCount + downloads.rowCount + tasks.rowCount;
      },
    });
  }

  override async forget(): Promise<void> {
    await super.forget();
    // A sealing failure must not prevent the deletion.
    await this.sealing.work().catch((err: unknown) => log.warn({ err }, 'files could not be sealed'));
    let keys: string[] = [];
    for await (const key of this.files.idle(graceSeconds * 1_000)) {
      keys.push(key);
      if (keys.length < 1_000) continue;
      await this.removeStrays(keys);
      keys = [];
    }
    await this.removeStrays(keys);
  }

  private async removeStrays(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const kept = await platform(this.database, 'find files without a row', () =>
      currentSql().rows(
        known,
        `
          select ${known}
          from unnest($1::uuid[]) k (id)
          where exists (select from file_key f where f.object_id = k.id)
            or (
              (
                exists (select from stored_file s where s.id = k.id)
                or exists (select from upload u where u.id = k.id and u.stored_id is null)
              ) and not exists (
                select from file_key f where f.id = k.id and f.made_at < now() - make_interval(secs => $2)
              )
            )
        `,
        [keys, graceSeconds],
      ),
    );
    const ids = new Set(kept.map(({ id }) => id));
    for (const key of keys) if (!ids.has(key)) await this.files.remove(key);
  }
}
