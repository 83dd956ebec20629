import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type {
  addBaseline,
  editBaseline,
  getDeviceBaseline,
  listBaselineDevices,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import { afterCommit, columns, computed, currentEntities, currentSql, knowsZone, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
  CONFIG,
  emitAudit,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { can, context, seesAll } from '@carillon/tenancy';
import type { taskConfig } from '../config.ts';
import { firmwareFile } from '../file/file.ts';
import { releaseFiles, publishFileUse } from '../file/file.publisher.ts';
import { knowsSites } from '../freeze-period/freeze-period.queries.ts';
import { Task } from '../task/task.entity.ts';
import { organizationsOf } from '../task/task.queries.ts';
import { next, taskStates } from '../task/task.states.ts';
import { forgetAsked } from './asked.ts';
import { Baseline } from './baseline.entity.ts';
import { BaselineLoop } from './baseline.loop.ts';
import {
  baselineById,
  baselineOfDevice,
  baselinesOfCompany,
  modelByMac,
  pageOfDevices,
  type BaselineRecord,
} from './baseline.queries.ts';
import { upgrade } from './follow.ts';

type Fields = RouteInput<typeof addBaseline>['body'];

const deleted = columns(Baseline, 'b', [], { row: computed<object>('to_jsonb(b)') });
const withdrawn = columns(Task, 't', ['id', 'name', 'number']);
/** Limit per company: each device is matched against each of them. */
const mostBaselines = 200;
const audited = ({ name, firmware, mac, model, site, groupId, active, from, to, timeZone }: BaselineRecord) => ({
  name,
  firmware: firmware && `${firmware.name} ${firmware.version}`,
  mac,
  model,
  site: site?.name ?? null,
  group: groupId,
  active,
  from,
  to,
  timeZone,
});
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'baseline_name', 'name', 'baseline.nameTaken');

/**
 * Baselines of a company: the firmware that a model, a site, a group or one device must have (STORE-07).
 * `baseline.loop.ts` upgrades the devices.
 */
@Injectable()
export class BaselineService {
  constructor(
    private readonly loop: BaselineLoop,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
  ) {}

  async get(id: string): Promise<BaselineRecord> {
    return found(await baselineById(id));
  }

  async devices(
    id: string,
    query: RouteInput<typeof listBaselineDevices>['query'],
  ): Promise<RouteReturn<typeof listBaselineDevices>> {
    await this.get(id);
    return pageOfDevices(id, query, this.config.baselineRetryMs);
  }

  async ofDevice(id: string): Promise<RouteReturn<typeof getDeviceBaseline>> {
    return { baseline: await baselineOfDevice(id, this.config.baselineRetryMs) };
  }

  async add(fields: Fields): Promise<BaselineRecord> {
    const { companyId } = this.begin();
    const values = await checked(fields);
    const id = uuidv7();
    const now = new Date().toISOString();
    currentEntities().create(Baseline, { id, companyId, retriedAt: now, ...values });
    await orNameTaken(currentEntities().flush());
    await refuseMore();
    const baseline = await this.get(id);
    auditNote({ objectId: id, objectName: baseline.name, detail: { before: null, after: audited(baseline) } });
    await this.changed([baseline]);
    return baseline;
  }

  async edit({ id, ...fields }: RouteInput<typeof editBaseline>['body']): Promise<BaselineRecord> {
    this.begin();
    const baseline = found(await currentEntities().findOne(Baseline, id));
    const before = audited(await this.get(id));
    const values = await checked(fields, baseline);
    const isOther = values.firmwareId !== baseline.firmwareId;
    // Activating it or changing its version counts as a retry of stuck devices.
    const retriedAt = isOther || (values.active && !baseline.active) ? new Date().toISOString() : baseline.retriedAt;
    currentEntities().assign(baseline, { ...values, retriedAt });
    await orNameTaken(currentEntities().flush());
    if (isOther || !values.active) await withdraw(id);
    if (isOther) await forgetAsked(id);
    const after = await this.get(id);
    auditNote({ objectId: id, objectName: after.name, detail: { before, after: audited(after) } });
    await this.changed([after]);
    return after;
  }

  async retry(id: string): Promise<BaselineRecord> {
    this.begin();
    const baseline = found(await currentEntities().findOne(Baseline, id));
    const now = new Date().toISOString();
    currentEntities().assign(baseline, { retriedAt: now, lookAt: now });
    await currentEntities().flush();
    auditNote({ objectId: id, objectName: baseline.name });
    const after = await this.get(id);
    await this.changed([after]);
    return after;
  }

  async delete(id: string): Promise<null> {
    this.begin();
    const baseline = await this.get(id);
    auditNote({ objectId: id, objectName: baseline.name, detail: { before: audited(baseline), after: null } });
    const [row] = await currentSql().rows(deleted, `delete from baseline b where b.id = $1 returning ${deleted}`, [id]);
    await keepDeleted('baseline', id, found(row).row);
    await withdraw(id);
    await forgetAsked(id);
    await this.changed([{ ...baseline, active: false }]);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    this.begin();
    const kept = await takeBack<{ id: string; name: string; firmware_id: string }>('baseline', 'baseline', ids);
    if (kept.length === 0) return { restored: 0 };
    // Its firmware may have been deleted meanwhile.
    for (const { firmware_id: firmwareId } of kept) if (!(await firmwareFile(firmwareId))) fail('task.fileMissing');
    await orNameTaken(
      currentSql().query('insert into baseline select r.* from jsonb_populate_recordset(null::baseline, $1::jsonb) r', [
        JSON.stringify(kept),
      ]),
    );
    await refuseMore();
    noteRestored(kept);
    await this.changed(await Promise.all(kept.map(({ id }) => this.get(id))));
    return { restored: kept.length };
  }

  /**
   * Checks the permissions: a baseline upgrades devices of any organization, with the permissions of the user who
   * changes it.
   */
  private begin(): { companyId: string } {
    if (!seesAll()) fail('baseline.narrowed');
    for (const permission of ['addTask', upgrade.right] as const)
      if (!can(permission)) fail('common.forbidden', { permission });
    return { companyId: context().companyId };
  }

  /** Publishes the firmware that active baselines use, which protects it from deletion. */
  private async changed(baselines: readonly BaselineRecord[]): Promise<void> {
    const { companyId } = context();
    for (const { id, firmwareId, active } of baselines)
      await publishFileUse(companyId, id, 'firmware', [{ id: firmwareId }], active ? 'open' : 'ended');
    await emitLive(
      companyId,
      'baseline',
      baselines.map(({ id }) => id),
      null,
    );
    afterCommit(() => this.loop.wake());
  }
}

/**
 * Cancels tasks that have not begun: they would wait for a meaningless answer and block others. The caller has locked
 * the baseline, so that no task is started meanwhile.
 */
async function withdraw(id: string): Promise<void> {
  const { companyId } = context();
  const tasks = await currentSql().rows(
    withdrawn,
    `
      update task t
      set status = $2, ended_at = now(), expanded = true, due_at = null, window_ends_at = null
      where t.baseline_id = $1 and t.runs = 0 and t.ended_at is null
      returning ${withdrawn}
    `,
    [id, next(taskStates, 'wait', 'cancel')],
  );
  for (const { id: taskId, name, number } of tasks) {
    await releaseFiles(companyId, taskId);
    const orgIds = await organizationsOf([taskId]);
    await emitAudit('task.cancel', 'success', { objectId: taskId, objectName: name, detail: { number }, orgIds });
    await emitLive(companyId, 'task', [taskId], orgIds);
  }
}

async function refuseMore(): Promise<void> {
  if ((await baselinesOfCompany()) > mostBaselines) fail('baseline.tooMany', { count: mostBaselines });
}

/**
 * Validates the fields. `had` is the current baseline: its firmware or site may be gone, and it can still be switched
 * off.
 */
async function checked({ from, to, siteId, ...fields }: Fields, had?: Baseline) {
  const { userId, username } = context();
  const file = await firmwareFile(fields.firmwareId);
  if (!file && (fields.active || had?.firmwareId !== fields.firmwareId)) failAt('firmwareId', 'task.fileMissing');
  if (file && fields.model !== null && !file.models.includes(fields.model)) failAt('model', 'baseline.modelOther');
  if (fields.mac !== null && (fields.active || had?.mac !== fields.mac)) {
    const model = (await modelByMac(fields.mac)) ?? failAt('mac', 'baseline.macUnknown');
    if (file && !file.models.includes(model)) failAt('mac', 'baseline.modelOther');
  }
  if (siteId !== null && siteId !== had?.siteId && !(await knowsSites([siteId])))
    failAt('siteId', 'baseline.siteUnknown');
  if (fields.timeZone !== null && !(await knowsZone(fields.timeZone))) failAt('timeZone', 'baseline.zoneUnknown');
  return {
    ...fields,
    siteId,
    fromLocal: from,
    toLocal: to,
    creatorId: found(userId),
    creatorName: username,
    lookAt: new Date().toISOString(),
  };
}
