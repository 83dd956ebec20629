import type { z } from 'zod';
import type { audit, listOperationLog, Message, operationLogRecord, RouteInput } from '@carillon/contracts';
import { toPage } from '@carillon/contracts';
import { containsPattern, currentSql, iso, parameters } from '@carillon/persistence';

export type OperationLogRecord = z.output<typeof operationLogRecord>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const cut = (text: string | null, length: number): string | null => text?.slice(0, length) ?? null;

/** Appends what is new; answers the ids of that. What is too long is cut: an entry is never lost for its length. */
export async function appendEntries(messages: readonly Message<typeof audit>[]): Promise<string[]> {
  const entries = messages.flatMap(({ id, at, companyId, data }) => (data && companyId ? [{
    id, at: new Date(at).toISOString(), company_id: companyId, user_id: data.userId && uuid.test(data.userId) ? data.userId : null, username: data.username.slice(0, 128),
    action: data.action.slice(0, 64), object_id: cut(data.objectId, 128), object_name: cut(data.objectName, 256), address: cut(data.address, 64), result: data.result.slice(0, 64),
    request_id: cut(data.requestId, 64), detail: data.detail,
  }] : []));
  const { rows } = await currentSql().query<{ id: string }>(`
    insert into operation_log (id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id, detail)
    select id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id, detail
    from jsonb_to_recordset($1::jsonb) as e(id uuid, at timestamptz, company_id uuid, user_id uuid, username text, action text, object_id text, object_name text, address text, result text, request_id text, detail jsonb)
    on conflict (id) do nothing returning id`, [JSON.stringify(entries)]);
  return rows.map((r) => r.id);
}

type Query = RouteInput<typeof listOperationLog>['query'];

export async function listEntries(query: Query): Promise<{ records: OperationLogRecord[]; total: number; current: number; size: number }> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters();
  const conditions = [
    ...(query.search ? [(() => { const like = add(containsPattern(query.search)); return `(username ilike ${like} or object_name ilike ${like} or object_id ilike ${like} or address ilike ${like})`; })()] : []),
    ...(query.action ? [`action = any (${add(query.action)})`] : []),
    ...(query.result ? [`result = any (${add(query.result)})`] : []),
  ];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const total = (await currentSql().query<{ n: number }>(`select count(*)::int as n from operation_log ${where}`, values)).rows[0]!.n;
  const { rows } = await currentSql().query<OperationLogRecord>(`
    select id, at, user_id as "userId", username, action, object_id as "objectId", object_name as "objectName", address, result, request_id as "requestId", detail
    from operation_log ${where} order by at desc, id desc limit ${add(limit)} offset ${add((page - 1) * limit)}`, values);
  return { records: rows.map((r) => ({ ...r, at: iso(r.at) })), total, current: page, size: limit };
}
