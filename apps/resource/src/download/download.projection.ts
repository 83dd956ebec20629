import { Controller } from '@nestjs/common';
import { deviceState, orgSite, taskFile, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { afterCommit, currentSql } from '@carillon/persistence';
import { FirmwareCheck } from '../firmware/firmware.check.ts';
import { SiteCopy } from './site-copy.entity.ts';
import { TaskFileCopy } from './task-file-copy.entity.ts';

/** A device as of the last message of a batch. */
interface DeviceFacts {
  id: string;
  companyId: string;
  model: string;
  firmware: string | null;
  /** Value of an earlier message in the batch. */
  before: string | null;
  ownerEpoch: number;
  siteId: string | null;
  version: number;
  era: number;
}

@Controller()
export class DownloadProjection {
  constructor(private readonly check: FirmwareCheck) {}

  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    // The previous version may be in a message of the same batch.
    const last = new Map<string, DeviceFacts>();
    const gone = new Set<string>();
    for (const { key, data, companyId, version = 0, era } of messages) {
      if (!data) {
        last.delete(key);
        gone.add(key);
        continue;
      }
      const { model, firmware, ownerEpoch, siteId = null } = data;
      const known = last.get(key);
      const before = known && known.firmware !== firmware ? (known.firmware ?? known.before) : (known?.before ?? null);
      last.set(key, { id: key, companyId: companyId!, model, firmware, before, ownerEpoch, siteId, version, era });
    }
    if (gone.size > 0) await currentSql().query('delete from device_copy where id = any ($1::uuid[])', [[...gone]]);
    if (last.size === 0) return;
    await currentSql().query(
      `
        insert into device_copy as c (
          id, company_id, model, firmware, previous_firmware, owner_epoch, site_id, version, era
        )
        select x.id, x."companyId", x.model, x.firmware, x.before, x."ownerEpoch", x."siteId", x.version, x.era
        from jsonb_to_recordset($1::jsonb) as x(
          id uuid, "companyId" uuid, model text, firmware text, before text, "ownerEpoch" int, "siteId" uuid,
          version bigint, era int
        )
        on conflict (id) do update set
          model = excluded.model,
          firmware = excluded.firmware,
          previous_firmware = coalesce(
            excluded.previous_firmware,
            case when c.firmware is distinct from excluded.firmware then c.firmware end,
            c.previous_firmware
          ),
          owner_epoch = excluded.owner_epoch,
          site_id = excluded.site_id,
          version = excluded.version,
          era = excluded.era
        where (c.era, c.version) < (excluded.era, excluded.version)
      `,
      [JSON.stringify([...last.values()])],
    );
  }

  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(SiteCopy, messages, ({ companyId, parentId, downloadMbit = null }) => ({
      companyId,
      parentId,
      downloadMbit,
    }));
  }

  @On(taskFile, ['file'])
  async file(messages: Message<typeof taskFile>[]): Promise<void> {
    const present = messages.filter((m) => m.data !== null);
    await project(TaskFileCopy, present, ({ noun, objectId, moreIds = [], stopped }, { companyId }) => ({
      companyId: companyId!,
      noun,
      objectId,
      moreIds,
      stopped,
      endedAt: null,
      checkDueAt: noun === 'firmware' && !stopped ? new Date().toISOString() : null,
    }));
    afterCommit(() => this.check.wake());
    const ended = [...new Map(messages.map((m) => [m.key, m])).values()].filter((m) => m.data === null);
    if (ended.length > 0)
      await currentSql().query(
        'update task_file_copy set ended_at = now(), check_due_at = null where id = any ($1::uuid[]) and ended_at is null',
        [ended.map((m) => m.key)],
      );
  }
}
