import { Controller } from '@nestjs/common';
import { addView, deleteView, editView, listViews, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { alphabetic, columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, found, Handle, unlessTaken } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { View } from './view.entity.ts';

type ViewRecord = RouteReturn<typeof addView>;
const most = 50;
/** Columns for user $1. The owner's name is empty when that user was deleted. */
const record = columns(View, 'v', ['id', 'list', 'name', 'shared', 'state', 'layout'], {
  own: computed<boolean>('v.user_id = $1'),
  owner: computed<string>(`coalesce((select u.nickname from user_copy u where u.id = v.user_id), '')`),
});

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'view_name', 'name', 'view.nameTaken');

/** Serves saved views of lists: a user's own ones, and those that others in the company share. */
@Controller()
export class ViewController {
  @Handle(listViews)
  async list({ query }: RouteInput<typeof listViews>): Promise<RouteReturn<typeof listViews>> {
    return currentSql().rows(
      record,
      `
        select ${record}
        from view v
        where v.list = $2 and (v.user_id = $1 or v.shared)
        order by v.user_id <> $1, ${alphabetic('v.name')}, v.id
        limit 500
      `,
      [context().userId, query.list],
    );
  }

  @Handle(addView)
  async add({ body }: RouteInput<typeof addView>): Promise<ViewRecord> {
    const { companyId } = context();
    const userId = found(context().userId);
    const { list, name, shared, state, layout } = body;
    const count = await currentEntities().count(View, { userId, list });
    if (count >= most) fail('view.tooMany', { count: most });
    const id = uuidv7();
    currentEntities().create(View, { id, companyId, userId, list, name, shared, state, layout });
    await orNameTaken(currentEntities().flush());
    auditNote({
      objectId: id,
      objectName: name,
      detail: { before: null, after: { list, name, shared } },
    });
    return this.own(id);
  }

  @Handle(editView)
  async edit({ body }: RouteInput<typeof editView>): Promise<ViewRecord> {
    const { id, name, shared, state, layout } = body;
    const view = await this.find(id);
    const before = { name: view.name, shared: view.shared };
    currentEntities().assign(view, { name, shared, state, layout }, { merge: false });
    await orNameTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: name, detail: { before, after: { name, shared } } });
    return this.own(id);
  }

  @Handle(deleteView)
  async delete({ query }: RouteInput<typeof deleteView>): Promise<null> {
    const view = await this.find(query.id);
    currentEntities().remove(view);
    auditNote({ objectId: view.id, objectName: view.name });
    return null;
  }

  /**
   * Returns the user's own view. Another user's view is not found, even when shared, because only its owner may change
   * it.
   */
  private async find(id: string): Promise<View> {
    return found(await currentEntities().findOne(View, { id, userId: context().userId }));
  }

  private async own(id: string): Promise<ViewRecord> {
    const sql = `select ${record} from view v where v.id = $2 and v.user_id = $1`;
    return found((await currentSql().rows(record, sql, [context().userId, id]))[0]);
  }
}
