import type { z } from 'zod';
import type { audit, listOperationLog, Message, operationLogRecord, RouteInput } from '@carillon/contracts';
import { toPage } from '@carillon/contracts';
import {
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  parameters,
  whereSql,
} from '@carillon/persistence';
import { seal } from './chain.ts';
import { OperationLog, OperationLogHead } from './operation-log.entity.ts';

export type OperationLogRecord = z.output<typeof operationLogRecord>;

const head = columns(OperationLogHead, 'h', ['seq', 'hash']);
const record = columns(
  OperationLog,
  'l',
  [
    'id',
    'at',
    'userId',
    'username',
    'action',
    'objectId',
    'objectName',
    'address',
    'result',
    'requestId',
    'detail',
    'seq',
  ],
  {
    related: computed<number>(`
      case when l.request_id is null then 1 else (
        select count(*)::int
        from operation_log r
        where r.request_id = l.request_id
      ) end
    `),
  },
);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const cut = (text: string | null, length: number): string | null => text?.slice(0, length) ?? null;

/** Appends what is new and returns that. What is too long is cut: an entry is never lost for its length. */
export async function appendEntries(
  messages: readonly Message<typeof audit>[],
  key: Buffer,
): Promise<{ id: string; org_ids: string[] | null }[]> {
  const entries = messages.flatMap(({ id, at, companyId, data }) =>
    data && companyId
      ? [
          {
            id,
            at: new Date(at).toISOString(),
            company_id: companyId,
            user_id: data.userId && uuid.test(data.userId) ? data.userId : null,
            username: data.username.slice(0, 128),
            action: data.action.slice(0, 64),
            object_id: cut(data.objectId, 128),
            object_name: cut(data.objectName, 256),
            address: cut(data.address, 64),
            result: data.result.slice(0, 64),
            request_id: cut(data.requestId, 64),
            detail: data.detail,
            org_ids: data.orgIds ?? null,
          },
        ]
      : [],
  );
  const companyId = entries[0]?.company_id;
  if (companyId === undefined) return [];
  const sql = currentSql();
  // One writer a company at a time: each entry hangs on the one before it.
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('operation_log ' || $1, 0))`, [companyId]);
  const known = new Set(
    (
      await sql.query<{ id: string }>('select id from operation_log where id = any ($1::uuid[])', [
        entries.map((e) => e.id),
      ])
    ).rows.map((r) => r.id),
  );
  const fresh = [...new Map(entries.filter((e) => !known.has(e.id)).map((e) => [e.id, e])).values()];
  if (fresh.length === 0) return [];
  const [last] = await sql.rows(head, `select ${head} from operation_log_head h`);
  let seq = last?.seq ?? 0;
  let hash = last?.hash ?? '';
  const sealed = fresh.map((entry) => {
    const one = { ...entry, seq: (seq += 1) };
    hash = seal(key, hash, one);
    return { ...one, hash };
  });
  await sql.query(
    `
      insert into operation_log (
        id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id, detail,
        org_ids, seq, hash
      )
      select id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id,
        detail, org_ids, seq, hash
      from jsonb_to_recordset($1::jsonb) as e(
        id uuid, at timestamptz, company_id uuid, user_id uuid, username text, action text, object_id text,
        object_name text, address text, result text, request_id text, detail jsonb, org_ids uuid[], seq bigint,
        hash text
      )
    `,
    [JSON.stringify(sealed)],
  );
  await sql.query(
    `
      insert into operation_log_head (company_id, seq, hash)
      values ($1, $2, $3)
      on conflict (company_id) do update set seq = excluded.seq, hash = excluded.hash
    `,
    [companyId, seq, hash],
  );
  return fresh;
}

type Query = RouteInput<typeof listOperationLog>['query'];
const column = columnNames(OperationLog, 'l');
const filterColumns = {
  at: filterBy.moment(column.at),
  action: filterBy.text(column.action),
  result: filterBy.text(column.result),
  username: filterBy.text(column.username),
  objectName: filterBy.text(column.objectName),
  address: filterBy.text(column.address),
};

export async function listEntries(
  query: Query,
): Promise<{ records: OperationLogRecord[]; total: number; current: number; size: number }> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters();
  const conditions = [
    ...(query.search
      ? [
          (() => {
            const like = add(containsPattern(query.search));
            return `
              (
                username ilike ${like}
                or object_name ilike ${like}
                or object_id ilike ${like}
                or address ilike ${like}
                or request_id ilike ${like}
              )
            `;
          })(),
        ]
      : []),
    ...filterSql(query, filterColumns, add),
    ...(query.objectId ? [`object_id = ${add(query.objectId)}`] : []),
    ...(query.requestId ? [`request_id = ${add(query.requestId)}`] : []),
    ...(query.from ? [`at >= ${add(query.from)}`] : []),
    ...(query.to ? [`at <= ${add(query.to)}`] : []),
  ];
  const where = whereSql(conditions);
  const total = (
    await currentSql().query<{ n: number }>(`select count(*)::int as n from operation_log l ${where}`, values)
  ).rows[0]!.n;
  const records = await currentSql().rows(
    record,
    `
      select ${record}
      from operation_log l ${where}
      order by at desc, id desc
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  return { records, total, current: page, size: limit };
}
