import type { z } from 'zod';
import type { audit, listOperationLog, Message, operationLogRecord, RouteInput } from '@carillon/contracts';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, holdLock } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { seal } from './chain.ts';
import { OperationLog, OperationLogHead } from './operation-log.entity.ts';

export type OperationLogRecord = z.output<typeof operationLogRecord>;

const head = columns(OperationLogHead, 'h', ['seq', 'hash']);
const known = columns(OperationLog, 'l', ['id']);
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

/** Appends new entries and returns them. Too long texts are cut: an entry is never lost for its length. */
export async function appendEntries(
  messages: readonly Message<typeof audit>[],
  key: Buffer,
): Promise<{ id: string; orgIds: string[] | null }[]> {
  const entries = messages.flatMap(({ id, at, companyId, data }) =>
    data && companyId
      ? [
          {
            id,
            at: new Date(at).toISOString(),
            companyId,
            userId: data.userId && uuid.test(data.userId) ? data.userId : null,
            username: data.username.slice(0, 128),
            action: data.action.slice(0, 64),
            objectId: cut(data.objectId, 128),
            objectName: cut(data.objectName, 256),
            address: cut(data.address, 64),
            result: data.result.slice(0, 64),
            requestId: cut(data.requestId, 64),
            detail: data.detail,
            orgIds: data.orgIds ?? null,
          },
        ]
      : [],
  );
  const companyId = entries[0]?.companyId;
  if (companyId === undefined) return [];
  const sql = currentSql();
  // One writer per company at a time, because each entry is chained to the previous one.
  await holdLock(`operation_log ${companyId}`);
  const entryIds = entries.map((e) => e.id);
  const rows = await sql.rows(known, `select ${known} from operation_log l where l.id = any ($1::uuid[])`, [entryIds]);
  const knownIds = new Set(rows.map((r) => r.id));
  const fresh = [...new Map(entries.filter((e) => !knownIds.has(e.id)).map((e) => [e.id, e])).values()];
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
      select id, at, "companyId", "userId", username, action, "objectId", "objectName", address, result, "requestId",
        detail, "orgIds", seq, hash
      from jsonb_to_recordset($1::jsonb) as e(
        id uuid, at timestamptz, "companyId" uuid, "userId" uuid, username text, action text, "objectId" text,
        "objectName" text, address text, result text, "requestId" text, detail jsonb, "orgIds" uuid[], seq bigint,
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
const sorts = {
  at: column.at,
  username: alphabetic(column.username),
  action: column.action,
  objectName: alphabetic(column.objectName),
  result: column.result,
  address: column.address,
};
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
  return readPage({
    query,
    record,
    from: 'operation_log l',
    searched: ['username', 'object_name', 'object_id', 'address', 'request_id'],
    filters: filterColumns,
    where: (add) => [
      ...(query.objectId ? [`object_id = ${add(query.objectId)}`] : []),
      ...(query.requestId ? [`request_id = ${add(query.requestId)}`] : []),
      ...(query.from ? [`at >= ${add(query.from)}`] : []),
      ...(query.to ? [`at <= ${add(query.to)}`] : []),
    ],
    sorts,
    order: 'at desc, id desc',
  });
}
