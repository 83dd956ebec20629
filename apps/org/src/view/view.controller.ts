import { Controller } from '@nestjs/common';
import { addView, deleteView, editView, listViews, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, found, Handle, unlessTaken } from '@carillon/service';
import { context } from '@carillon/tenancy';

type ViewRecord = RouteReturn<typeof addView>;
const most = 50;
/** For user $1. Whoever shared one and is gone has no name any more. */
const columns = `
  v.id, v.list, v.name, v.shared, v.user_id = $1 as own,
  coalesce((select u.nickname from user_copy u where u.id = v.user_id), '') as owner, v.state, v.layout
`;

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'view_name', 'name', 'view.nameTaken');

/** Views of lists: a person's own, and those that others of the company share. */
@Controller()
export class ViewController {
  @Handle(listViews)
  async list({ query }: RouteInput<typeof listViews>): Promise<RouteReturn<typeof listViews>> {
    return (
      await currentSql().query<ViewRecord>(
        `
          select ${columns}
          from view v
          where v.list = $2 and (v.user_id = $1 or v.shared)
          order by v.user_id <> $1, lower(v.name), v.id
          limit 500
        `,
        [context().userId, query.list],
      )
    ).rows;
  }

  @Handle(addView)
  async add({ body }: RouteInput<typeof addView>): Promise<ViewRecord> {
    const { companyId, userId } = context();
    const { rows } = await currentSql().query<{ n: number }>(
      'select count(*)::int as n from view where user_id = $1 and list = $2',
      [userId, body.list],
    );
    if (rows[0]!.n >= most) fail('view.tooMany', { count: most });
    const id = uuidv7();
    await orNameTaken(
      currentSql().query(
        `
          insert into view (id, company_id, user_id, list, name, shared, state, layout, updated_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, now())
        `,
        [
          id,
          companyId,
          userId,
          body.list,
          body.name,
          body.shared,
          JSON.stringify(body.state),
          JSON.stringify(body.layout),
        ],
      ),
    );
    auditNote({
      objectId: id,
      objectName: body.name,
      detail: { before: null, after: { list: body.list, name: body.name, shared: body.shared } },
    });
    return this.own(id);
  }

  @Handle(editView)
  async edit({ body }: RouteInput<typeof editView>): Promise<ViewRecord> {
    const before = await this.own(body.id);
    await orNameTaken(
      currentSql().query(
        'update view set name = $2, shared = $3, state = $4, layout = $5, updated_at = now() where id = $1',
        [body.id, body.name, body.shared, JSON.stringify(body.state), JSON.stringify(body.layout)],
      ),
    );
    auditNote({
      objectId: body.id,
      objectName: body.name,
      detail: { before: { name: before.name, shared: before.shared }, after: { name: body.name, shared: body.shared } },
    });
    return this.own(body.id);
  }

  @Handle(deleteView)
  async delete({ query }: RouteInput<typeof deleteView>): Promise<null> {
    const { name } = await this.own(query.id);
    await currentSql().query('delete from view where id = $1', [query.id]);
    auditNote({ objectId: query.id, objectName: name });
    return null;
  }

  /** Another's is not there, shared or not: it is his to change. */
  private async own(id: string): Promise<ViewRecord> {
    return found(
      (
        await currentSql().query<ViewRecord>(`select ${columns} from view v where v.id = $2 and v.user_id = $1`, [
          context().userId,
          id,
        ])
      ).rows[0],
    );
  }
}
