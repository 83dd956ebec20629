import { Inject, Injectable } from '@nestjs/common';
import { alarmKinds, type getStorage, type AlarmLevel, type RouteReturn } from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql, holdLock } from '@carillon/persistence';
import { CONFIG, emitMessage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { ResourceConfig } from '../config.ts';
import { StoredFile } from '../store/stored-file.entity.ts';
import { Storage } from './storage.entity.ts';

const use = columns(StoredFile, 's', [], {
  used: computed<number>(`(
    coalesce((select sum(s.size) from stored_file s), 0)
    + coalesce((select sum(u.size) from upload u where u.stored_id is null), 0)
  )::float8`),
});
/** Share of the quota from which storage is low. */
const lowShare = 0.8;

/** Measures the files of a company, and publishes alarms when little space is left (STORE-06). */
@Injectable()
export class StorageService {
  private readonly quota: number | null;
  private readonly downloadMbit: number | null;

  constructor(@Inject(CONFIG) { storageMegabytes, downloadMbit }: ResourceConfig) {
    this.downloadMbit = downloadMbit === 0 ? null : downloadMbit;
    this.quota = storageMegabytes === 0 ? null : storageMegabytes * 1_048_576;
  }

  async get(): Promise<RouteReturn<typeof getStorage>> {
    const [found] = await currentSql().rows(use, `select ${use}`);
    const { used } = found!;
    const share = this.quota === null ? 0 : used / this.quota;
    const state = share >= 1 ? 'full' : share >= lowShare ? 'low' : 'enough';
    return { used, quota: this.quota, state, downloadMbit: this.downloadMbit };
  }

  /**
   * Reserves bytes. Returns nothing when they fit, otherwise the current use. Holds the company's lock until the
   * transaction ends, so that two parallel uploads cannot both take the last space. Alarms are published with its
   * commit.
   */
  async take(size: number): Promise<{ used: number; quota: number } | undefined> {
    const { quota } = this;
    if (quota === null) return undefined;
    const { companyId } = context();
    await holdLock(`storage ${companyId}`);
    const { used } = await this.get();
    const fits = used + size <= quota;
    await this.raiseAlarms(quota, used, fits ? used + size : undefined);
    return fits ? undefined : { used, quota };
  }

  /**
   * Publishes alarms, each once until the use has fallen. `then` is the use including the new upload; undefined when it
   * was refused.
   */
  private async raiseAlarms(quota: number, used: number, then: number | undefined): Promise<void> {
    const { companyId } = context();
    const low = quota * lowShare;
    const storage =
      (await currentEntities().findOne(Storage, { id: companyId })) ??
      currentEntities().create(Storage, { id: companyId, companyId, low: false, fullBelow: null });
    if (used < low) storage.low = false;
    if (storage.fullBelow !== null && used < storage.fullBelow) storage.fullBelow = null;
    const raise = (level: AlarmLevel, bytes: number) =>
      emitMessage(companyId, {
        type: alarmKinds.storage,
        level,
        values: { percent: Math.floor((bytes / quota) * 100) },
      });
    const full = then === undefined || then >= quota;
    const isLow = (then ?? used) >= low;
    if (full && storage.fullBelow === null) {
      storage.fullBelow = Math.min(low, then ?? used);
      await raise('high', then ?? used);
    } else if (isLow && !storage.low && !full) await raise('medium', then ?? used);
    storage.low ||= isLow;
    await currentEntities().flush();
  }
}
