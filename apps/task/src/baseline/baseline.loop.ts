import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { addTask, type PermissionKey } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import {
  column,
  columns,
  companySession,
  computed,
  currentSql,
  Database,
  transaction,
  type RowOf,
} from '@carillon/persistence';
import { CONFIG, emitAudit, emitLive, WorkLoop } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { asksForMore } from '../approval/approval.ts';
import type { taskConfig } from '../config.ts';
import { CreatorCopy } from '../projections/creator.projection.ts';
import { Task } from '../task/task.entity.ts';
import { TaskService } from '../task/task.service.ts';
import { keepAsked } from './asked.ts';
import { Baseline } from './baseline.entity.ts';
import { followSql, maySql, upgrade } from './follow.ts';
import { minutesSql } from './window.ts';

const log = createLogger('task');
/** Companies that are checked in parallel. */
const atOnce = 4;

const looked = columns(Baseline, 'b', ['companyId']);

const ready = columns(Baseline, 'b', ['id', 'name', 'firmwareId', 'creatorId', 'creatorName'], {
  minutes: computed<number | null>(minutesSql),
  permissions: column(CreatorCopy, 'u', 'permissions'),
});
/** A baseline whose task waits for approval, with its number of devices. */
const asked = columns(Baseline, 'b', ['id'], {
  taskId: column(Task, 't', 'id'),
  devices: computed<number>(`(t.approval ->> 'devices')::int`),
});
const behind = columns(Baseline, 'x', [], {
  baselineId: computed<string>('x.baseline_id'),
  devices: computed<number>('count(*)::int'),
});

/**
 * Upgrades each device to the version of its baseline (STORE-07) through tasks: one for all devices that are behind,
 * online and not being upgraded. Tasks of a baseline are started under the lock of its row, and not before the last one
 * has its devices: a pending request also covers devices that join meanwhile.
 */
@Injectable()
export class BaselineLoop extends WorkLoop<{ companyId: string }> {
  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
    private readonly tasks: TaskService,
  ) {
    super(database, {
      reason: 'baselines that devices may be behind, of all companies',
      tickMs: config.baselineMs,
      atOnce,
    });
  }

  /** Claims all baselines of some companies, because which one a device follows depends on all of them. */
  protected override async claim(): Promise<{ companyId: string }[]> {
    const rows = await currentSql().rows(
      looked,
      `
        update baseline b
        set look_at = now() + make_interval(secs => $1::float8 / 2000)
        where b.active
          and b.company_id in (
            select e.company_id
            from baseline e
            where e.active and e.look_at <= now()
            group by e.company_id
            limit ${atOnce}
          )
        returning ${looked}
      `,
      [this.config.baselineMs],
    );
    return [...new Set(rows.map((row) => row.companyId))].map((companyId) => ({ companyId }));
  }

  protected override perform({ companyId }: { companyId: string }): Promise<void> {
    return transaction(this.database, companySession(companyId), async () => {
      const held = await currentSql().rows(
        ready,
        `
          select ${ready}
          from baseline b
          join creator_copy u on u.id = b.creator_id
          where b.active
            and ${maySql}
            and coalesce(${minutesSql}, 1) > 0
            and not exists (
              select 1 from task t where t.baseline_id = b.id and not t.expanded and t.ended_at is null
            )
          order by b.id
          for update of b skip locked
        `,
      );
      const asking = await currentSql().rows(
        asked,
        `
          select ${asked}
          from baseline b
          join task t on t.baseline_id = b.id
          where b.active and t.runs = 0 and t.ended_at is null and t.approval ->> 'state' = 'asked'
          order by t.id
          for update of t skip locked
        `,
      );
      if (held.length + asking.length === 0) return;
      const due = await currentSql().rows(
        behind,
        `
          select ${behind}
          from ${followSql('$2')} x
          where x.baseline_id = any($1::uuid[]) and x.state = 'behind' and coalesce(x.reason, 'approval') = 'approval'
          group by x.baseline_id
        `,
        [[...held, ...asking].map((baseline) => baseline.id), this.config.baselineRetryMs],
      );
      const counts = new Map(due.map((row) => [row.baselineId, row.devices]));
      for (const baseline of held) if (counts.has(baseline.id)) await this.begin(companyId, baseline);
      await runAs(systemContext(companyId), async () => {
        for (const { id, taskId, devices } of asking)
          if ((counts.get(id) ?? 0) > devices) await asksForMore(companyId, taskId);
      });
    });
  }

  private async begin(
    companyId: string,
    { id, name, firmwareId, creatorId, creatorName, minutes, permissions }: RowOf<typeof ready>,
  ): Promise<void> {
    const who = {
      ...systemContext(companyId),
      userId: creatorId,
      username: creatorName,
      permissions: permissions as PermissionKey[],
    };
    await runAs(who, async () => {
      const body = addTask.body.parse({
        action: upgrade.key,
        params: { firmwareId },
        target: { filter: {} },
        durationMinutes: minutes,
      });
      const task = await this.tasks.addDerived(body, { target: { baseline: { id, firmwareId } }, named: name });
      await emitAudit('task.add', 'success', {
        objectId: task.id,
        objectName: name,
        detail: { action: upgrade.key, number: task.number },
      });
      if (task.approval) {
        await keepAsked(companyId, id);
        await emitLive(companyId, 'baseline', [id], null);
      }
      log.info({ point: 'baseline', taskId: task.id }, 'devices are behind their baseline');
    });
  }
}
