import { Injectable } from '@nestjs/common';
import { actions } from '@carillon/actions';
import type { addTaskTemplate, DeviceTarget, RouteInput, TaskTemplateRecord } from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, failAt, found, keepDeleted, takeBack, unlessTaken, noteRestored } from '@carillon/service';
import { can, context, seesAll } from '@carillon/tenancy';
import { refuseUnlessAllowed } from '../task/allowed.ts';
import { seenTarget } from '../task/task.queries.ts';
import { TaskTemplate } from './task-template.entity.ts';

const deleted = columns(TaskTemplate, 't', [], { row: computed<object>('to_jsonb(t)') });
/** Limit per company: the form offers all of them. */
const mostTemplates = 200;
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'task_template_name', 'name', 'task.templateNameTaken');

/** Stored orders for later use. Templates never run; an order from a template is like any other. */
@Injectable()
export class TaskTemplateService {
  async list(): Promise<{ records: TaskTemplateRecord[] }> {
    const templates = await currentEntities().find(TaskTemplate, {}, { orderBy: { name: 'asc' } });
    const records = await Promise.all(templates.filter(({ order }) => mayDo(order.action)).map(recordOf));
    return { records };
  }

  async add({ name, ...order }: RouteInput<typeof addTaskTemplate>['body']): Promise<TaskTemplateRecord> {
    const { companyId, userId, username } = context();
    const { params } = refuseUnlessAllowed(order);
    if (order.target && 'ids' in order.target) {
      const { ids } = order.target;
      const seen = (await seenTarget(order.target)) as { ids: string[] } | null;
      if (seen?.ids.length !== new Set(ids).size) failAt('target', 'device.pushTargetMissing');
    }
    const template = currentEntities().create(TaskTemplate, {
      id: uuidv7(),
      companyId,
      name,
      order: { ...order, params },
      creatorId: found(userId),
      creatorName: username,
    });
    await orNameTaken(currentEntities().flush());
    await refuseMore();
    auditNote({ objectId: template.id, objectName: name, detail: { action: order.action } });
    return recordOf(template);
  }

  async rename(id: string, name: string): Promise<TaskTemplateRecord> {
    const template = await this.held(id);
    auditNote({ detail: { before: { name: template.name }, after: { name } } });
    currentEntities().assign(template, { name });
    await orNameTaken(currentEntities().flush());
    return recordOf(template);
  }

  async delete(id: string): Promise<null> {
    const template = await this.held(id);
    auditNote({ detail: { before: { name: template.name }, after: null } });
    const [row] = await currentSql().rows(deleted, `delete from task_template t where t.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('taskTemplate', id, found(row).row);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    const kept = await takeBack<Pick<TaskTemplate, 'id' | 'name' | 'order'>>('taskTemplate', 'task_template', ids);
    if (kept.length === 0) return { restored: 0 };
    // Templates whose action they may no longer order are hidden from them.
    if (kept.some(({ order }) => !mayDo(order.action))) fail('common.notFound');
    await orNameTaken(
      currentSql().query(
        'insert into task_template select r.* from jsonb_populate_recordset(null::task_template, $1::jsonb) r',
        [JSON.stringify(kept)],
      ),
    );
    await refuseMore();
    noteRestored(kept);
    return { restored: kept.length };
  }

  /** Returns a template for its creator, or a user who sees the whole company. */
  private async held(id: string): Promise<TaskTemplate> {
    const template = found(await currentEntities().findOne(TaskTemplate, id));
    if (!mayDo(template.order.action)) fail('common.notFound');
    auditNote({ objectId: id, objectName: template.name });
    if (!isOwn(template)) fail('task.templateOfOther');
    return template;
  }
}

async function refuseMore(): Promise<void> {
  if ((await currentEntities().count(TaskTemplate)) > mostTemplates)
    fail('task.tooManyTemplates', { count: mostTemplates });
}

const mayDo = (action: string): boolean => Object.hasOwn(actions, action) && can(actions[action]!.right);
const isOwn = ({ creatorId }: TaskTemplate): boolean => creatorId === context().userId || seesAll();

async function recordOf(template: TaskTemplate): Promise<TaskTemplateRecord> {
  const { id, name, order, creatorName, updatedAt } = template;
  const target: DeviceTarget | null = order.target && (await seenTarget(order.target));
  return { id, name, ...order, target, creatorName, updatedAt, own: isOwn(template) };
}
