import type { authVisit, EventData, listSupportAccess, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, column, columnNames, columns, computed, currentSql, filterBy } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { CompanyCopy } from '../company/company.entity.ts';
import { CustomerAccess, SupportAccess, Visit } from './support-access.entity.ts';

export type SupportAccessRecord = RouteReturn<typeof listSupportAccess>['records'][number];

const stateSql = `
  case when s.ended_by is not null then 'ended' when s.until <= now() then 'expired' else 'active' end
`;
const record = columns(
  SupportAccess,
  's',
  ['id', 'level', 'reason', 'createdBy', 'createdAt', 'until', 'endedBy', 'endedAt', 'visits', 'visitedAt'],
  {
    state: computed<SupportAccessRecord['state']>(stateSql),
    company: column(SupportAccess, 's', 'superior'),
  },
);
const name = columnNames(SupportAccess, 's');
const sorts = {
  level: name.level,
  createdBy: alphabetic(name.createdBy),
  createdAt: name.createdAt,
  until: name.until,
  visits: name.visits,
  visitedAt: name.visitedAt,
};
const filterColumns = {
  state: filterBy.text(`(${stateSql})`),
  level: filterBy.text(name.level),
  reason: filterBy.text(name.reason),
  createdBy: filterBy.text(name.createdBy),
  createdAt: filterBy.moment(name.createdAt),
  until: filterBy.moment(name.until),
};

export async function accessPage(
  query: RouteInput<typeof listSupportAccess>['query'],
): Promise<RouteReturn<typeof listSupportAccess>> {
  return readPage({
    query,
    record,
    from: 'support_access s',
    searched: ['s.reason', 's.created_by'],
    filters: filterColumns,
    sorts,
    order: 's.created_at desc, s.id',
  });
}

export async function accessById(id: string): Promise<SupportAccessRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from support_access s where s.id = $1`, [id]))[0];
}

/** Returns the active access, of which there is at most one. */
export async function activeAccess(): Promise<SupportAccessRecord | undefined> {
  const sql = `select ${record} from support_access s where s.ended_at is null and s.until > now()`;
  return (await currentSql().rows(record, sql))[0];
}

const own = columns(CompanyCopy, 'c', ['parentId', 'name']);
export async function companyById(id: string) {
  return (await currentSql().rows(own, `select ${own} from company_copy c where c.id = $1`, [id]))[0];
}
/** Locks a company, so that only one call at a time changes what it allows. */
export async function holdCompany(id: string): Promise<void> {
  await currentSql().query('select 1 from company_copy where id = $1 for no key update', [id]);
}
/** Closes accesses that have expired, so that another one can be granted. */
export async function closeExpired(): Promise<void> {
  await currentSql().query('update support_access set ended_at = until where ended_at is null and until <= now()');
}

const open = columns(CustomerAccess, 'a', ['id', 'customerId', 'customer', 'level', 'until', 'reason', 'allowedBy']);
/** Returns the open access that a direct channel grants its parent company. */
export async function openCustomerAccess(customerId: string) {
  const sql = `
    select ${open} from customer_access a where a.customer_id = $1 and a.ended_at is null and a.until > now()
  `;
  return (await currentSql().rows(open, sql, [customerId]))[0];
}

/** Counts a visit if the access is still open, and keeps it open until the running transaction ends. */
export async function countVisit(accessId: string): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update support_access
      set visits = visits + 1, visited_at = now()
      where id = $1 and ended_at is null and until > now()
    `,
    [accessId],
  );
  return rowCount > 0;
}

const visited = columns(Visit, 'v', ['sessionId', 'userId', 'accessId'], {
  visitId: column(Visit, 'v', 'id'),
  hostCompanyId: column(Visit, 'v', 'companyId'),
  companyId: column(Visit, 'v', 'customerId'),
  hostCompany: computed<string>(`coalesce((select c.name from company_copy c where c.id = v.company_id), '')`),
  customer: column(CustomerAccess, 'a', 'customer'),
  allowedById: column(CustomerAccess, 'a', 'allowedById'),
  allowedBy: column(CustomerAccess, 'a', 'allowedBy'),
  level: column(CustomerAccess, 'a', 'level'),
  until: column(CustomerAccess, 'a', 'until'),
  ended: computed<boolean>('(v.ended_at is not null or a.ended_at is not null)'),
});
type VisitView = EventData<typeof authVisit, 'visit'>;

/** Returns visits in the form that the API gateways get. */
export async function visitViews(ids: readonly string[]): Promise<VisitView[]> {
  const sql = `
    select ${visited} from visit v join customer_access a on a.id = v.access_id where v.id = any ($1::uuid[])
  `;
  const rows = await currentSql().rows(visited, sql, [ids]);
  return rows.map((row) => ({ ...row, until: Date.parse(row.until) }));
}

/** Returns the open visit of a session. */
export async function visitOfSession(sessionId: string): Promise<VisitView | undefined> {
  const sql = `
    select ${visited} from visit v join customer_access a on a.id = v.access_id
    where v.session_id = $1 and v.ended_at is null
  `;
  const [row] = await currentSql().rows(visited, sql, [sessionId]);
  return row && { ...row, until: Date.parse(row.until) };
}

const ended = columns(Visit, 'v', ['id']);
/** Ends the open visits of a session or of an access. Returns their ids. */
export async function endVisits(by: 'session_id' | 'access_id' | 'id', id: string): Promise<string[]> {
  const sql = `
    update visit v set ended_at = now() where v.${by} = $1 and v.ended_at is null returning ${ended}
  `;
  return (await currentSql().rows(ended, sql, [id])).map((v) => v.id);
}

const gone = columns(Visit, 'v', ['id', 'companyId']);
/** Deletes old visits and expired copies of accesses. Returns the visits. */
export async function deleteOldVisits(before: Date) {
  const visits = await currentSql().rows(gone, `delete from visit v where v.started_at < $1 returning ${gone}`, [
    before,
  ]);
  await currentSql().query('delete from customer_access where until < $1', [before]);
  return visits;
}
