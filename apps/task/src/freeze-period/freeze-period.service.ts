import { Injectable } from '@nestjs/common';
import type { addFreezePeriod, editFreezePeriod, RouteInput } from '@carillon/contracts';
import { afterCommit, columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, fail, failAt, found, keepDeleted, takeBack, noteRestored } from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { FreezePeriod } from './freeze-period.entity.ts';
import { freezePeriodById, knowsSites, momentsOf, notOver, type FreezePeriodRecord } from './freeze-period.queries.ts';
import { holdFreezes } from './frozen.ts';
import { Thaw } from './thaw.service.ts';

type Fields = RouteInput<typeof addFreezePeriod>['body'];

const deleted = columns(FreezePeriod, 'f', [], { row: computed<object>('to_jsonb(f)') });
/** Limit per company: each sending checks those in force. */
const mostOpen = 200;
const audited = ({ name, sites, begin, end, timeZone }: FreezePeriodRecord) => ({
  name,
  sites: sites.map((site) => site.name),
  begin,
  end,
  timeZone,
});

/** Freeze periods, in which no task changes devices (TASK-12). `dispatch/send.ts` enforces them. */
@Injectable()
export class FreezePeriodService {
  constructor(private readonly thaw: Thaw) {}

  async get(id: string): Promise<FreezePeriodRecord> {
    return found(await freezePeriodById(id));
  }

  async add(fields: Fields): Promise<FreezePeriodRecord> {
    const { companyId } = await this.begin();
    const values = await checked(fields);
    const id = uuidv7();
    currentEntities().create(FreezePeriod, { id, companyId, thawed: false, ...values });
    await currentEntities().flush();
    if ((await notOver()) > mostOpen) fail('freezePeriod.tooMany', { count: mostOpen });
    const period = await this.get(id);
    auditNote({ objectId: id, objectName: period.name, detail: { before: null, after: audited(period) } });
    await this.changed([id]);
    return period;
  }

  async edit({ id, ...fields }: RouteInput<typeof editFreezePeriod>['body']): Promise<FreezePeriodRecord> {
    await this.begin();
    const period = found(await currentEntities().findOne(FreezePeriod, id));
    const before = audited(await this.get(id));
    const values = await checked(fields, period.siteIds);
    currentEntities().assign(period, { ...values, thawed: false });
    await currentEntities().flush();
    if ((await notOver()) > mostOpen) fail('freezePeriod.tooMany', { count: mostOpen });
    const after = await this.get(id);
    auditNote({ objectId: id, objectName: after.name, detail: { before, after: audited(after) } });
    await this.changed([id]);
    return after;
  }

  async delete(id: string): Promise<null> {
    await this.begin();
    const period = await this.get(id);
    auditNote({ objectId: id, objectName: period.name, detail: { before: audited(period), after: null } });
    const [row] = await currentSql().rows(deleted, `delete from freeze_period f where f.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('freezePeriod', id, row!.row);
    await this.changed([id]);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    await this.begin();
    const kept = await takeBack<{ id: string; name: string }>('freezePeriod', 'freeze_period', ids);
    if (kept.length === 0) return { restored: 0 };
    await currentSql().query(
      'insert into freeze_period select r.* from jsonb_populate_recordset(null::freeze_period, $1::jsonb) r',
      [JSON.stringify(kept.map((period) => ({ ...period, thawed: false })))],
    );
    if ((await notOver()) > mostOpen) fail('freezePeriod.tooMany', { count: mostOpen });
    noteRestored(kept);
    await this.changed(kept.map((period) => period.id));
    return { restored: kept.length };
  }

  /**
   * Checks the permission: a period affects devices of any organization, so its editor must see all, even when they
   * currently look at one only.
   */
  private async begin(): Promise<{ companyId: string }> {
    const { companyId } = context();
    if (!seesAll()) fail('freezePeriod.narrowed');
    await holdFreezes('alone', companyId);
    return { companyId };
  }

  /** The period may hold less than before: releases waiting commands. */
  private async changed(ids: readonly string[]): Promise<void> {
    const { companyId } = context();
    await emitLive(companyId, 'freezePeriod', ids, null);
    afterCommit(() => this.thaw.look(companyId));
  }
}

/** Validates the fields. `had` are the current sites of the period: one of them may be gone since. */
async function checked({ begin, end, siteIds, name, timeZone }: Fields, had: readonly string[] = []) {
  const moments = await momentsOf(begin, end, timeZone);
  if (!moments) failAt('timeZone', 'freezePeriod.zoneUnknown');
  if (moments.endsAt <= moments.beginsAt) failAt('end', 'freezePeriod.order');
  const ids = [...new Set(siteIds.map((id) => id.toLowerCase()))];
  if (!(await knowsSites(ids.filter((id) => !had.includes(id))))) failAt('siteIds', 'freezePeriod.siteUnknown');
  return { name, timeZone, siteIds: ids, beginLocal: begin, endLocal: end, ...moments };
}
