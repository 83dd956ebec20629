import { Controller } from '@nestjs/common';
import { addView, deleteView, editView, listViews, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, found, Handle, unlessTaken } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { View } from './view.entity.ts';

type ViewRecord = RouteReturn<typeof addView>;
const most = 50;
/** For user $1. Whoever shared one and is gone has no name any more. */
const record = columns(View, 'v', ['id', 'list', 'name', 'shared', 'state', 'layout'], {
  own: computed<boolean>('v.user_id = $1'),
  owner: computed<string>(`coalesce((select u.nickname from user_copy u where u.id = v.user_id), '')`),
});

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'view_name', 'name', 'view.nameTaken');

/** Views of lists: a person's own, and those that others of the company share. */
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
        order by v.user_id <> $1, lower(v.name), v.id
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

  /** Another's is not there, shared or not: it is theirs to change. */
  private async find(id: string): Promise<View> {
    return found(await currentEntities().findOne(View, { id, userId: context().userId }));
  }

  private async own(id: string): Promise<ViewRecord> {
    const sql = `select ${record} from view v where v.id = $2 and v.user_id = $1`;
    return found((await currentSql().rows(record, sql, [context().userId, id]))[0]);
  }
}
